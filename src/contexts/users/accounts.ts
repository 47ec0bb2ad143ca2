import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Moment } from '../../access/moment.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';
import { handle, type Decision } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { ActingAt } from './decisions.js';
import type { UserEvent } from '../../events/users.js';
import { userDirectoryFold, usersStream, type UserDirectory } from './user-directory.js';
import type { User } from '../../access/records/user.js';

/** What is decided about accounts, and by whom. */
export type AccountRule = (state: UserDirectory, by: ActingAt) => readonly UserEvent[];

/** Decisions about accounts and user groups, appended to the streams that guard them. */
@Injectable()
export class Accounts {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** All accounts, as of the end of their stream: for what must not be missed while this node catches up. */
  async all(): Promise<UserDirectory> {
    return (await this.streams.load({ stream: usersStream, fold: userDirectoryFold })).state;
  }

  /** Who exists and what holds now, as far as this node knows. */
  moment(): Moment {
    return { directory: this.follower.current(), now: this.clock.now() };
  }

  /**
   * The account that sends a request.
   *
   * @throws ApplicationError `accountDeactivated` when it is gone
   */
  actor({ userId }: Pick<Caller, 'userId'>): User {
    const user = this.follower.current().user(userId);
    if (user?.isActive !== true) throw failure('accountDeactivated');
    return user;
  }

  /**
   * Decides about accounts.
   *
   * @param afterAppend what clients look for when they are told of it: see {@link Decision}
   * @returns what was appended, in order; nothing when nothing was to change
   */
  async decide(
    caller: Pick<Caller, 'userId' | 'client'>,
    decide: AccountRule,
    afterAppend: (events: readonly RecordedEvent<UserEvent>[]) => Promise<void> = () => Promise.resolve(),
  ): Promise<readonly RecordedEvent<UserEvent>[]> {
    const decision = { ...this.decisionOf(caller, decide), afterAppend };
    return (await handle(this.streams, decision))?.events ?? [];
  }

  /**
   * Decides what always appends, and does at once what clients look for when they are told of it: see {@link Decision}.
   *
   * @returns what came of that
   */
  async decideThen<Result>(
    caller: Pick<Caller, 'userId' | 'client'>,
    decide: AccountRule,
    then: (events: readonly RecordedEvent<UserEvent>[]) => Promise<Result>,
  ): Promise<Result> {
    const results: Result[] = [];
    const afterAppend = async (events: readonly RecordedEvent<UserEvent>[]): Promise<void> => {
      results.push(await then(events));
    };
    await handle(this.streams, { ...this.decisionOf(caller, decide), afterAppend });
    if (results.length === 0) throw new Error('This decision always appends');
    return results[0]!;
  }

  /** Decides about accounts for nobody who has one: whoever joins, or the server itself. */
  async decideAs(
    metadata: EventMetadata,
    decide: (state: UserDirectory) => readonly UserEvent[],
  ): Promise<readonly RecordedEvent<UserEvent>[]> {
    const decision = { stream: usersStream, fold: userDirectoryFold, decide, metadata };
    return (await handle(this.streams, decision))?.events ?? [];
  }

  private decisionOf(
    caller: Pick<Caller, 'userId' | 'client'>,
    decide: AccountRule,
  ): Decision<UserDirectory, RecordedEvent<UserEvent>, UserEvent> {
    const by = { actorId: caller.userId, moment: this.moment() };
    return {
      stream: usersStream,
      fold: userDirectoryFold,
      decide: (state) => decide(state, by),
      metadata: requestMetadata(caller, by.moment.now),
    };
  }
}
