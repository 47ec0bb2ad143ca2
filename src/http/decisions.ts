import { Injectable } from '@nestjs/common';
import type { Actor } from '../access/actor.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import type { Snapshot } from '../access/snapshot.js';
import { failure } from '../kernel/errors.js';
import type { DomainEvent, EventMetadata, RecordedEvent } from '../kernel/event.js';
import type { FoldedStream } from '../kernel/decision.js';
import { handle } from '../kernel/handle.js';
import { SystemClock } from '../runtime/system-clock.js';
import { requestMetadata } from '../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { Caller } from './caller.js';

/** What came of a decision. */
export interface Decided<State, Event extends DomainEvent> {
  /** What was appended, in order; nothing when nothing was to change. */
  readonly events: readonly RecordedEvent<Event>[];
  /** The stream's state with these events. */
  readonly state: State;
}

/** A stream to decide about, and what is done at once when something was appended to it. */
export interface DecidedStream<State, Past, Event extends DomainEvent> extends FoldedStream<State, Past> {
  /** What clients look for when they are told of the events, done before readers are waited for: see `afterAppend` of a decision of the kernel. */
  readonly afterAppend?: (events: readonly RecordedEvent<Event>[]) => Promise<void>;
}

/**
 * A rule: from what is so, and who acts, to the events that follow. Pure, because it is asked again when the stream went on.
 *
 * @param nextRevision the revision that the first of the events will have, from which ids are made
 */
export type Decide<State, Event extends DomainEvent> = (
  state: State,
  actor: Actor,
  nextRevision: number,
) => readonly Event[];

/**
 * The one way from a request to its events: finds who acts, loads the stream, decides, appends at the revision that was decided on,
 * and waits until the read models that the caller would read next show it.
 */
@Injectable()
export class Decisions {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** Who exists and what holds now, as far as this node knows. */
  snapshot(): Snapshot {
    return { directory: this.follower.current(), now: this.clock.now() };
  }

  /**
   * The account that sends a request, and the organization as it finds it.
   *
   * @throws ApplicationError `accountDeactivated` when the account is gone
   */
  actor({ userId }: Pick<Caller, 'userId'>): Actor {
    const snapshot = this.snapshot();
    const user = snapshot.directory.user(userId);
    if (user?.isActive !== true) throw failure('accountDeactivated');
    return { user, snapshot };
  }

  /** What a stream tells now. */
  async load<State, Past>(folded: FoldedStream<State, Past>): Promise<State> {
    return (await this.streams.load(folded)).state;
  }

  /**
   * Decides about a stream, with the caller of a request as the actor.
   *
   * @throws ApplicationError `accountDeactivated`, what `decide` refuses with, and `unavailable` when other writers were faster every time
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
   * Decides what always appends, and does at once what clients look for when they are told of it.
   *
   * @returns what came of `then`
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
   * Decides about a stream where no account sends the request: for the server, an operator, or somebody who is not logged in.
   *
   * @throws ApplicationError as {@link decide} does
   */
  async decideAs<State, Past, Event extends DomainEvent>(
    metadata: EventMetadata,
    folded: DecidedStream<State, Past, Event>,
    decide: (state: State, nextRevision: number) => readonly Event[],
  ): Promise<Decided<State, Event>> {
    const decidedOn: State[] = [];
    const appended = await handle(this.streams, {
      ...folded,
      decide: (state, revision) => {
        decidedOn.push(state);
        return decide(state, (revision ?? -1) + 1);
      },
      metadata,
    });
    const events = appended?.events ?? [];
    // Of a retry nothing was decided: its events are in the log already.
    if (decidedOn.length === 0) return { events, state: await this.load(folded) };
    // A fold passes over events that are not its own: only the type checker cannot know.
    const state = events.reduce<State>(
      (so, event) => folded.fold.evolve(so, event as never),
      decidedOn.at(-1)!,
    );
    return { events, state };
  }
}
