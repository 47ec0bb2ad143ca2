import { failure } from './errors.js';
import type { DomainEvent } from './event.js';
import type {
  AppendedEvents,
  AppendOutcome,
  CommandEvents,
  Decision,
  LoadedStream,
  PendingDecision,
  Streams,
} from './decision.js';

/** What a decision came to, provided that what was decided before it is appended. */
type Made<Event extends DomainEvent> =
  | { readonly append: CommandEvents<Event> }
  | { readonly answer: AppendedEvents<Event> | null }
  | { readonly refusal: unknown };

/** A decision and what it came to. */
interface Step<State, Past, Event extends DomainEvent> {
  readonly pending: PendingDecision<State, Past, Event>;
  readonly made: Made<Event>;
}

/** How often a decision is made at most while other processes are faster, where it says nothing itself. */
const ATTEMPTS = 10;

/**
 * Loads a stream, decides, and appends at the revision that was decided on; when another writer was faster, it loads and
 * decides again. In one process the decisions about a stream wait for each other, so only other processes are ever faster.
 *
 * A command whose id the stream knows already (a retry after a lost reply) is not decided again: it gets the answer of the
 * first time. So a command appends to one stream at most once.
 *
 * @returns what was appended; null when nothing was to change
 * @throws ApplicationError what `decide` refuses with; `unavailable` when other writers were faster every time
 */
export function handle<State, Past, Event extends DomainEvent>(
  streams: Streams,
  decision: Decision<State, Past, Event>,
): Promise<AppendedEvents<Event> | null> {
  return streams.inTurn(decision, (pending) => decideTogether(streams, pending));
}

/**
 * Makes decisions about one stream in their order, each on what those before it append, and appends all of it at once. Begins with
 * the state that this process knows: where an append at its revision succeeds, nothing was missing from it. Where nothing is
 * appended, the log is read before anybody is answered.
 *
 * Resolves when each of them has its answer.
 */
async function decideTogether<State, Past, Event extends DomainEvent>(
  streams: Streams,
  pending: readonly PendingDecision<State, Past, Event>[],
): Promise<void> {
  const folded = pending[0]!.decision;
  let waiting = pending;
  let known = streams.kept(folded);
  let attempt = 0;
  while (waiting.length > 0) {
    const isCurrent = known === null;
    const loaded = known ?? (await streams.load(folded));
    known = null;
    const steps = await stepsFrom(streams, loaded, waiting);
    const appends = steps.flatMap(({ made }) => ('append' in made ? [made.append] : []));
    const target = { stream: folded.stream, revision: loaded.revision };
    const outcomes = appends.length === 0 ? [] : await streams.appendTogether(target, appends);
    if (outcomes === null) waiting = thoseThatTryAgain(waiting, (attempt += 1));
    else if (isCurrent || outcomes.some((outcome) => 'appended' in outcome))
      waiting = waiting.slice(await answer(steps, outcomes));
  }
}

/** The decisions as they follow each other; those that cannot be made before others are in the log are left out. */
async function stepsFrom<State, Past, Event extends DomainEvent>(
  streams: Streams,
  { state, revision }: LoadedStream<State>,
  waiting: readonly PendingDecision<State, Past, Event>[],
): Promise<readonly Step<State, Past, Event>[]> {
  const steps: Step<State, Past, Event>[] = [];
  const commandIds = new Set<string>();
  for (const pending of waiting) {
    const { decision } = pending;
    // The same command again is answered with what is in the log.
    if (commandIds.has(decision.metadata.commandId)) break;
    commandIds.add(decision.metadata.commandId);
    const made = await make(streams, pending, { state, revision });
    steps.push({ pending, made });
    if (!('append' in made) || steps.length === waiting.length) continue;
    const place = { stream: decision.stream, revision: (revision ?? -1) + 1 };
    try {
      for (const event of streams.expected(made.append, place)) {
        // A fold passes over events that are not its own: only the type checker cannot know.
        state = decision.fold.evolve(state, event as never);
      }
    } catch {
      // Whoever loads the stream next is told what is wrong with it.
      break;
    }
    revision = place.revision + made.append.events.length - 1;
  }
  return steps;
}

async function make<State, Past, Event extends DomainEvent>(
  streams: Streams,
  { decision, within }: PendingDecision<State, Past, Event>,
  { state, revision }: LoadedStream<State>,
): Promise<Made<Event>> {
  const { metadata } = decision;
  try {
    const earlier = await streams.appendedBy<Event>(metadata.commandId, decision);
    if (earlier !== null) return { answer: earlier };
    const events = decision.decide(state, revision);
    if (events.length === 0) return { answer: null };
    return { append: { events, metadata, ...(within && { within }) } };
  } catch (refusal) {
    return { refusal };
  }
}

/** @returns how many have their answer now */
async function answer<State, Past, Event extends DomainEvent>(
  steps: readonly Step<State, Past, Event>[],
  outcomes: readonly AppendOutcome<Event>[],
): Promise<number> {
  const remaining = outcomes.values();
  const answering: Promise<void>[] = [];
  for (const { pending, made } of steps) {
    const outcome = 'append' in made ? remaining.next().value : made;
    if (outcome === undefined) break;
    answering.push(answerOne(pending, outcome));
    // What was decided after it counted on it.
    if ('append' in made && 'refusal' in outcome) break;
  }
  await Promise.all(answering);
  return answering.length;
}

async function answerOne<State, Past, Event extends DomainEvent>(
  { decision, resolve, reject, within = here }: PendingDecision<State, Past, Event>,
  outcome: AppendOutcome<Event> | Exclude<Made<Event>, { readonly append: unknown }>,
): Promise<void> {
  if ('refusal' in outcome) return reject(outcome.refusal);
  if ('answer' in outcome) return resolve(outcome.answer);
  try {
    await within(() => decision.afterAppend?.(outcome.appended.events));
    resolve(outcome.appended);
  } catch (error) {
    reject(error);
  }
}

function here<Result>(task: () => Result): Result {
  return task();
}

function thoseThatTryAgain<State, Past, Event extends DomainEvent>(
  waiting: readonly PendingDecision<State, Past, Event>[],
  attempt: number,
): readonly PendingDecision<State, Past, Event>[] {
  const givesUp = ({ decision }: (typeof waiting)[number]): boolean =>
    attempt >= (decision.attempts ?? ATTEMPTS);
  for (const pending of waiting.filter(givesUp)) pending.reject(failure('unavailable'));
  return waiting.filter((pending) => !givesUp(pending));
}
