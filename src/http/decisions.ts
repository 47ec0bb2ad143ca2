import type { Actor } from '../access/actor.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import type { Snapshot } from '../access/snapshot.js';
import { failure } from '../kernel/errors.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../kernel/event.js';
import type { AppendedEvents, FoldedStream } from '../kernel/decision.js';
import { evolveAny } from '../kernel/fold.js';
import { handle } from '../kernel/handle.js';
import { Injectable } from '../runtime/nest-decorators.js';
import { SystemClock } from '../runtime/system-clock.js';
import { requestMetadata } from '../stores/event-store/command-metadata.js';
import type { Appended } from '../stores/event-store/event-log.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { Caller } from './caller.js';
import { ConsistentLog } from './consistency.js';

/** The result of a decision. */
interface Decided<State, Event extends DomainEvent> {
  /** The appended events, in order; empty when nothing had to change. */
  readonly events: readonly RecordedEvent<Event>[];
  /** The stream's state with these events. */
  readonly state: State;
}

/** A stream to decide about, with an optional action right after an append. */
interface DecidedStream<State, Past, Event extends DomainEvent> extends FoldedStream<State, Past> {
  /**
   * Does what clients may look for as soon as they receive the events. Runs before the read barrier; see
   * `afterAppend` of a decision of the kernel.
   */
  readonly afterAppend?: (events: readonly RecordedEvent<Event>[]) => Promise<void>;
}

/**
 * A decider: returns the events that follow from the state and the actor. Pure, because it is called again
 * when the stream has changed meanwhile.
 *
 * @param nextRevision revision of the first of the events, from which new ids derive
 */
type Decide<State, Event extends DomainEvent> = (
  state: State,
  actor: Actor,
  nextRevision: number,
) => readonly Event[];

/**
 * Appends to the stream of a lock at exactly this revision (null: it does not exist yet). Null: the stream has a newer
 * one.
 */
type AppendAtRevision = <Event extends DomainEvent>(
  revision: number | null,
  events: readonly Event[],
  metadata: EventMetadata,
) => Promise<AppendedEvents<Event> | null>;

/**
 * Takes a request to its events: finds the actor, loads the stream, decides, appends at the revision that was
 * decided on, and waits until the read models that the caller would read next include the events.
 */
@Injectable()
export class Decisions {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
    private readonly log: ConsistentLog,
  ) {}

  /** The directory and the time, as far as this node knows. */
  snapshot(): Snapshot {
    return { directory: this.follower.current(), now: this.clock.now() };
  }

  /**
   * The account that sends a request, with the snapshot that its permissions are judged by.
   *
   * @throws ApplicationError `accountDeactivated` when the account does not exist or is deactivated
   */
  actor({ userId }: Pick<Caller, 'userId'>): Actor {
    const snapshot = this.snapshot();
    const user = snapshot.directory.user(userId);
    if (user?.isActive !== true) throw failure('accountDeactivated');
    return { user, snapshot };
  }

  /** The present state of a stream. */
  async load<State, Past>(folded: FoldedStream<State, Past>): Promise<State> {
    return (await this.streams.load(folded)).state;
  }

  /**
   * Decides about a stream, with the caller of a request as the actor.
   *
   * @throws ApplicationError `accountDeactivated`; what `decide` throws; `unavailable` when other writers
   * came first on every attempt
   */
  async decide<State, Past, Event extends DomainEvent>(
    caller: Pick<Caller, 'userId' | 'client'>,
    folded: DecidedStream<State, Past, Event>,
    decide: Decide<State, Event>,
  ): Promise<Decided<State, Event>> {
    const actor = this.actor(caller);
    const metadata = requestMetadata(caller, actor.snapshot.now);
    return this.decideAs(metadata, folded, (state, nextRevision) => decide(state, actor, nextRevision));
  }

  /**
   * Makes a decision that always appends, and runs `then` right after the append.
   *
   * @returns the result of `then`
   * @throws ApplicationError as {@link decide} does
   */
  async decideThen<State, Past, Event extends DomainEvent, Result>(
    caller: Pick<Caller, 'userId' | 'client'>,
    folded: FoldedStream<State, Past>,
    rule: {
      readonly decide: Decide<State, Event>;
      readonly then: (events: readonly RecordedEvent<Event>[]) => Promise<Result>;
    },
  ): Promise<Result> {
    const results: Result[] = [];
    const afterAppend = async (events: readonly RecordedEvent<Event>[]): Promise<void> => {
      results.push(await rule.then(events));
    };
    await this.decide(caller, { ...folded, afterAppend }, rule.decide);
    if (results.length === 0) throw new Error('This decision always appends');
    return results[0]!;
  }

  /**
   * Decides about a stream without looking up an actor: for the server, an operator, somebody who is not logged
   * in, or a handler that has called {@link actor} already, so that it decides by one snapshot.
   *
   * @throws ApplicationError as {@link decide} does
   */
  async decideAs<State, Past, Event extends DomainEvent>(
    metadata: EventMetadata,
    folded: DecidedStream<State, Past, Event>,
    decide: (state: State, nextRevision: number) => readonly Event[],
  ): Promise<Decided<State, Event>> {
    const decidedOn: State[] = [];
    const events = await this.record(metadata, folded, (state, nextRevision) => {
      decidedOn.push(state);
      return decide(state, nextRevision);
    });
    // For a retry the decider was not called: its events are in the log already.
    if (decidedOn.length === 0) return { events, state: await this.load(folded) };
    const evolve = (state: State, event: RecordedEvent): State => evolveAny(folded.fold, state, event);
    return { events, state: events.reduce(evolve, decidedOn.at(-1)!) };
  }

  /**
   * Like {@link decideAs}, for whoever does not need the stream's new state, which takes another read when a
   * command is repeated.
   *
   * @returns the appended events, in order; empty when nothing had to change
   */
  async record<State, Past, Event extends DomainEvent>(
    metadata: EventMetadata,
    folded: DecidedStream<State, Past, Event>,
    decide: (state: State, nextRevision: number) => readonly Event[],
  ): Promise<readonly RecordedEvent<Event>[]> {
    const appended = await handle(this.streams, {
      ...folded,
      decide: (state, revision) => decide(state, (revision ?? -1) + 1),
      metadata,
    });
    if (appended === null) return [];
    await this.log.waitUntilReadable(appended);
    return appended.events;
  }

  /**
   * Makes a decision that reads more than the stream it appends to: runs a task between the decisions about that
   * stream, and then waits until its events can be read.
   *
   * @param task appends at most once
   */
  async withLock<Result>(
    stream: string,
    task: (append: AppendAtRevision) => Promise<Result>,
  ): Promise<Result> {
    const waiting: AppendedEvents<DomainEvent>[] = [];
    const result = await this.streams.withLock(stream, () =>
      task(async (revision, events, metadata) => {
        const appended = await this.streams.append({ stream, revision }, events, metadata);
        if (appended !== null) waiting.push(appended);
        return appended;
      }),
    );
    for (const appended of waiting) await this.log.waitUntilReadable(appended);
    return result;
  }

  /**
   * Appends events that depend on nothing in their stream, at its end, and waits until they can be read.
   *
   * @throws ApplicationError `unavailable` when nobody would be shown them
   */
  append<Event extends DomainEvent>(
    stream: string,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<Appended<Event>> {
    return this.log.append({ stream, expected: 'any' }, events, metadata);
  }

  /** Waits until the caller's next reads include events that somebody else appended. */
  waitUntilReadable(position: number, definitions: readonly Pick<DomainEvent, 'type'>[]): Promise<void> {
    return this.log.waitUntilReadable({ position, events: definitions });
  }

  /** Runs a step of a request, which is traced where tracing is on. */
  step<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    return this.log.step(name, task);
  }
}
