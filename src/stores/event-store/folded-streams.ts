import { AsyncResource } from 'node:async_hooks';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../../kernel/event.js';
import type {
  AppendedEvents,
  AppendOutcome,
  AppendTarget,
  CommandEvents,
  Decision,
  FoldedStream,
  LoadedStream,
  PendingDecision,
  Streams,
} from '../../kernel/decision.js';
import { EarlierCommands } from './earlier-commands.js';
import { eventId } from './event-id.js';
import { recordedEvents, type EventLog } from './event-log.js';
import { advanced, asReadBack, StateCache, revisionOf, type StateEntry } from './state-cache.js';
import { RepeatedAppendError, WrongExpectedRevisionError } from './port.js';
import type { Snapshots } from './snapshots/snapshots.js';
import { StreamLocks } from './stream-locks.js';

/** Options of {@link FoldedStreams}. */
interface FoldedStreamsOptions {
  /** Maximum number of cached states; absent: 5,000. */
  readonly maxStates?: number;
  /** Called before an append; throws to refuse it. */
  readonly admit?: (events: readonly DomainEvent[], metadata: EventMetadata) => void;
  /** Where states are stored beside the log; absent: every stream is read from its beginning once. */
  readonly snapshots?: Pick<Snapshots, 'begin' | 'offer'>;
}

/** Events per page. */
const PAGE_SIZE = 1000;

/** Maximum number of cached states, by default. */
const MAX_STATES = 5000;

/**
 * A cache of folded states by stream and `evolve`. A state is always brought up to the end of its stream before it is returned. States are
 * shared between callers and must not be changed.
 */
export class FoldedStreams implements Streams {
  private readonly states: StateCache;
  private readonly earlier: EarlierCommands;
  private readonly locks = new StreamLocks();

  constructor(
    private readonly log: Pick<EventLog, 'appendTogether' | 'readStream' | 'repetitions'> &
      Partial<Pick<EventLog, 'tracer'>>,
    private readonly options: FoldedStreamsOptions = {},
  ) {
    this.states = new StateCache(options.maxStates ?? MAX_STATES);
    this.earlier = new EarlierCommands(log.repetitions);
  }

  /** Runs tasks of one stream one after another, in order of arrival, between decisions about the stream. */
  withLock<Result>(stream: string, task: () => Promise<Result>): Promise<Result> {
    return this.locks.withLock(stream, task);
  }

  decideWithLock<State, Past, Event extends DomainEvent>(
    decision: Decision<State, Past, Event>,
    decideTogether: (pending: readonly PendingDecision<State, Past, Event>[]) => Promise<void>,
  ): Promise<AppendedEvents<Event> | null> {
    const waiting = { stream: decision.stream, kind: this.states.keyOf(decision) };
    const decide = (): Promise<AppendedEvents<Event> | null> =>
      new Promise((resolve, reject) => {
        const here = new AsyncResource('Decision');
        const within = <Result>(task: () => Result): Result => here.runInAsyncScope(task);
        const pending = { decision, resolve, reject, within };
        this.locks.together(waiting, pending, decideTogether).catch(reject);
      });
    return this.log.tracer?.decision(decision, decide) ?? decide();
  }

  async load<State, Past>(folded: FoldedStream<State, Past>): Promise<LoadedStream<State>> {
    const since = this.states.now();
    let entry = this.states.use(folded) ?? (await this.begin(folded));
    for (;;) {
      const from = revisionOf(entry) + 1;
      const events = await this.log.readStream(folded.stream, { from, limit: PAGE_SIZE });
      entry = advanced(entry, events);
      if (events.length < PAGE_SIZE) break;
    }
    this.states.keep(folded, entry, since);
    this.offerSnapshot(folded, entry);
    return loadedFrom(entry);
  }

  /** The cached state, without reading the log; null: no state of the stream is cached. */
  cached<State, Past>(folded: FoldedStream<State, Past>): LoadedStream<State> | null {
    const entry = this.states.peek(folded);
    return entry === undefined ? null : loadedFrom(entry);
  }

  /** A state that includes at least the given event: the log is only read if the cached state does not include it. */
  async loadThrough<State, Past>(
    folded: FoldedStream<State, Past>,
    revision: number,
  ): Promise<LoadedStream<State>> {
    // Takes the lock, because the event may be part of an append that is running here.
    return this.withLock(folded.stream, async () => {
      const kept = this.cached(folded);
      return kept !== null && (kept.revision ?? -1) >= revision ? kept : this.load(folded);
    });
  }

  async appendedBy<Event extends DomainEvent>(
    metadata: EventMetadata,
    folded: FoldedStream<unknown, never>,
  ): Promise<AppendedEvents<Event> | null> {
    const { stream } = folded;
    const { commands } = this.states.peek(folded) ?? {};
    const from = await this.earlier.find({ metadata, stream, commands });
    if (from === undefined) return null;
    const { commandId } = metadata;
    const page = await this.log.readStream(stream, { from, limit: PAGE_SIZE });
    const events = page.filter((event) => event.metadata.commandId === commandId) as RecordedEvent<Event>[];
    const { revision, position } = events.at(-1)!;
    return { revision, position, events };
  }

  preview<Event extends DomainEvent>(
    command: CommandEvents<Event>,
    { stream, revision: first }: { readonly stream: string; readonly revision: number },
  ): readonly RecordedEvent<Event>[] {
    const idOf = (index: number): string => eventId(command.metadata.commandId, index);
    return recordedEvents(command, idOf, { stream, first, position: 0 }).map(asReadBack);
  }

  async appendTogether<Event extends DomainEvent>(
    { stream, revision }: AppendTarget,
    commands: readonly CommandEvents<Event>[],
  ): Promise<readonly AppendOutcome<Event>[] | null> {
    const since = this.states.now();
    const target = { stream, expected: revision ?? ('no-stream' as const) };
    try {
      const outcomes = await this.log.appendTogether(target, commands, this.options.admit);
      const appended = outcomes.flatMap((outcome) => ('appended' in outcome ? outcome.appended.events : []));
      this.states.advance(stream, appended, since);
      return outcomes;
    } catch (error) {
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
      if (error instanceof RepeatedAppendError) this.noteRepeated(error, commands);
      return null;
    }
  }

  private noteRepeated(
    { stream, earlier }: RepeatedAppendError,
    commands: readonly CommandEvents<DomainEvent>[],
  ): void {
    const isOf = ({ events, metadata: { commandId } }: CommandEvents<DomainEvent>): boolean =>
      events.some((_, index) => eventId(commandId, index) === earlier.id);
    const commandId = commands.find(isOf)?.metadata.commandId;
    if (commandId !== undefined) this.earlier.noteRefused(stream, commandId, earlier.revision);
  }

  /** Appends at exactly that revision, in a task of {@link withLock}; null: the stream has a newer revision. */
  async append<Event extends DomainEvent>(
    target: AppendTarget,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<AppendedEvents<Event> | null> {
    const outcomes = await this.appendTogether(target, [{ events, metadata }]);
    if (outcomes === null) return null;
    const [outcome] = outcomes;
    if (!('appended' in outcome!)) throw outcome!.refusal;
    return outcome.appended;
  }

  /** Drops all states, including those being loaded. To be called when keys are destroyed, because states contain texts of people. */
  clear(): void {
    this.states.clear();
  }

  /** Like {@link clear}, for these streams only. */
  forget(streams: readonly string[]): void {
    this.states.forget(streams);
  }

  private async begin({ stream, fold }: FoldedStream<unknown, never>): Promise<StateEntry> {
    const { initial, evolve } = fold;
    const state = typeof initial === 'function' ? await (initial as () => Promise<unknown>)() : initial;
    const none: StateEntry = { state, last: null, commands: [], snapshot: null, evolve };
    const { snapshots } = this.options;
    if (snapshots === undefined || fold.snapshot === undefined) return none;
    const { kept, mark } = await snapshots.begin({ stream, fold: fold.snapshot });
    return { ...none, ...kept, snapshot: mark };
  }

  private offerSnapshot({ stream, fold }: FoldedStream<unknown, never>, entry: StateEntry): void {
    const { snapshot, last, state, commands } = entry;
    if (snapshot === null || last === null || fold.snapshot === undefined) return;
    this.options.snapshots?.offer({ stream, fold: fold.snapshot }, { state, commands, last }, snapshot);
  }
}

function loadedFrom<State>(entry: StateEntry): LoadedStream<State> {
  return { state: entry.state as State, revision: entry.last?.revision ?? null };
}
