import { failure } from './errors.js';
import { DECISION_ATTEMPTS } from './retry-on-conflict.js';
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
import { evolveAny } from './fold.js';

/** The result of a decision, which is valid if all decisions before it are appended. */
type Made<Event extends DomainEvent> =
  | { readonly append: CommandEvents<Event> }
  | { readonly answer: AppendedEvents<Event> | null }
  | { readonly refusal: unknown };

/** A decision and its result. */
interface Step<State, Past, Event extends DomainEvent> {
  readonly pending: PendingDecision<State, Past, Event>;
  readonly made: Made<Event>;
}

/**
 * Loads a stream, decides, and appends at the revision of the loaded state. If another process appended in the
 * meantime, it loads and decides again. Decisions of one process about one stream are serialized, so only other
 * processes can interfere.
 *
 * A command whose id is already in the stream (a retry after a lost reply) is not decided again: it returns the events
 * of the first attempt. A command therefore appends to a stream at most once.
 *
 * @returns the appended events; null: nothing had to change
 * @throws ApplicationError the refusal of `decide`; `unavailable` when other processes were faster in every attempt
 */
export function handle<State, Past, Event extends DomainEvent>(
  streams: Streams,
  decision: Decision<State, Past, Event>,
): Promise<AppendedEvents<Event> | null> {
  return streams.decideWithLock(decision, (pending) => decideTogether(streams, pending));
}

/**
 * Makes the decisions about one stream in order, each based on the events of those before it, and appends their events
 * together. It starts from the cached state: if the append at its revision succeeds, the state was current. If there is
 * nothing to append, the log is read before any caller is answered.
 *
 * Resolves when every decision has its answer.
 */
async function decideTogether<State, Past, Event extends DomainEvent>(
  streams: Streams,
  pending: readonly PendingDecision<State, Past, Event>[],
): Promise<void> {
  const folded = pending[0]!.decision;
  let waiting = pending;
  let known = streams.cached(folded);
  let attempt = 0;
  while (waiting.length > 0) {
    const isCurrent = known === null;
    const loaded = known ?? (await streams.load(folded));
    known = null;
    const steps = await stepsFrom(streams, loaded, waiting);
    const appends = steps.flatMap(({ made }) => ('append' in made ? [made.append] : []));
    const target = { stream: folded.stream, revision: loaded.revision };
    const outcomes = appends.length === 0 ? [] : await streams.appendTogether(target, appends);
    if (outcomes === null) waiting = waitingForRetry(waiting, (attempt += 1));
    else if (isCurrent || outcomes.some((outcome) => 'appended' in outcome))
      waiting = waiting.slice(await answer(steps, outcomes));
  }
}

/** Makes the decisions one after another. Stops before one that needs the events of earlier ones to be in the log. */
async function stepsFrom<State, Past, Event extends DomainEvent>(
  streams: Streams,
  { state, revision }: LoadedStream<State>,
  waiting: readonly PendingDecision<State, Past, Event>[],
): Promise<readonly Step<State, Past, Event>[]> {
  const steps: Step<State, Past, Event>[] = [];
  const commandIds = new Set<string>();
  for (const pending of waiting) {
    const { decision } = pending;
    // A repeated command is answered with the events in the log.
    if (commandIds.has(decision.metadata.commandId)) break;
    commandIds.add(decision.metadata.commandId);
    const made = await make(streams, pending, { state, revision });
    steps.push({ pending, made });
    if (!('append' in made) || steps.length === waiting.length) continue;
    const place = { stream: decision.stream, revision: (revision ?? -1) + 1 };
    try {
      for (const event of streams.preview(made.append, place)) state = evolveAny(decision.fold, state, event);
    } catch {
      // The next caller that loads the stream gets the error.
      break;
    }
    revision = place.revision + made.append.events.length - 1;
  }
  return steps;
}

async function make<State, Past, Event extends DomainEvent>(
  streams: Streams,
  { decision, within = here }: PendingDecision<State, Past, Event>,
  { state, revision }: LoadedStream<State>,
): Promise<Made<Event>> {
  const { metadata } = decision;
  try {
    const earlier = await within(() => streams.appendedBy<Event>(metadata, decision));
    if (earlier !== null) return { answer: earlier };
    const events = decision.decide(state, revision);
    if (events.length === 0) return { answer: null };
    return { append: { events, metadata, within } };
  } catch (refusal) {
    return { refusal };
  }
}

/** @returns the number of decisions that have their answer */
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
    // The later decisions were based on its events.
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

function waitingForRetry<State, Past, Event extends DomainEvent>(
  waiting: readonly PendingDecision<State, Past, Event>[],
  attempt: number,
): readonly PendingDecision<State, Past, Event>[] {
  const givesUp = ({ decision }: (typeof waiting)[number]): boolean =>
    attempt >= (decision.attempts ?? DECISION_ATTEMPTS);
  for (const pending of waiting.filter(givesUp)) pending.reject(failure('unavailable'));
  return waiting.filter((pending) => !givesUp(pending));
}
