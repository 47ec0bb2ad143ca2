import { failure } from '../kernel/errors.js';
import type { Appended, EventLog } from '../stores/event-store/event-log.js';
import type { AppendPlace } from '../stores/event-store/codec.js';
import type { DomainEvent, EventMetadata } from '../kernel/event.js';

/** A write that the caller's next reads must include. */
export interface AwaitedWrite {
  /** Log position of its last event. */
  readonly position: number;
  readonly types: readonly string[];
  /** Maximum wait in milliseconds. */
  readonly milliseconds: number;
}

/** Something that follows the log, and that a client may read right after its own write. */
export interface LogFollower {
  /**
   * Resolves true as soon as it has passed the write, at once if it handles none of the write's types; false
   * on timeout.
   */
  waitUntil(write: AwaitedWrite): Promise<boolean>;
  /**
   * Whether it is halted at an event that it cannot apply, so that nobody would see what is written; absent:
   * never.
   */
  isHalted?(types: readonly string[]): boolean;
}

/**
 * Maximum wait of a reply in milliseconds; after it the reply is a success all the same, because the write is
 * in the log.
 */
const MAX_WAIT = 2000;

/**
 * The log as requests write to it: an append resolves when the read models, and whatever else the caller may
 * read next, have passed it, so that clients always read what they wrote. The log itself never waits.
 */
export class ConsistentLog {
  constructor(
    private readonly log: Pick<EventLog, 'append' | 'tracer'>,
    private readonly followers: readonly LogFollower[],
  ) {}

  /** Appends as {@link EventLog.append} does, and waits until the events can be read. */
  async append<Event extends DomainEvent>(
    target: AppendPlace,
    events: readonly Event[],
    metadata: EventMetadata,
  ): Promise<Appended<Event>> {
    this.admit(events, metadata);
    const appended = await this.log.append(target, events, metadata);
    await this.waitUntilReadable(appended);
    return appended;
  }

  /**
   * Refuses events whose read model is halted at an event that it cannot apply, as they would be acknowledged
   * but never shown. Events caused by another event are admitted, because that event was acknowledged
   * already.
   *
   * @throws ApplicationError `unavailable`
   */
  admit(events: readonly DomainEvent[], { causationId }: Pick<EventMetadata, 'causationId'>): void {
    if (causationId !== null) return;
    const types = events.map(({ type }) => type);
    if (this.followers.some((follower) => follower.isHalted?.(types) === true)) throw failure('unavailable');
  }

  /**
   * The read barrier: resolves when everything that a client may read next has passed these events, or after
   * two seconds.
   */
  async waitUntilReadable({
    position,
    events,
  }: {
    readonly position: number;
    readonly events: readonly Pick<DomainEvent, 'type'>[];
  }): Promise<void> {
    const write = { position, types: events.map(({ type }) => type), milliseconds: MAX_WAIT };
    await this.step('wait for read models', () =>
      Promise.all(this.followers.map((follower) => follower.waitUntil(write))),
    );
  }

  /** Runs a step of a request, which is traced where tracing is on. */
  step<Result>(name: string, task: () => Promise<Result>): Promise<Result> {
    return this.log.tracer?.step(name, task) ?? task();
  }
}
