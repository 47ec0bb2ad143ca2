import { Injectable } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { Moment } from '../../access/moment.js';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import type { Fold } from '../../kernel/decider.js';
import { failure } from '../../kernel/errors.js';
import type { EventMetadata, RecordedEvent } from '../../kernel/event.js';
import { handle } from '../../kernel/handle.js';
import { SystemClock } from '../../runtime/system-clock.js';
import type { User } from '../../access/records/user.js';
import type { PersonalEvent } from '../../events/personal.js';
import { personalStream } from './personal-stream.js';

/** Who asks, and the organization as they find it. */
export interface Acting {
  readonly moment: Moment;
  readonly user: User;
}

/** A rule about what concerns one person alone. */
export interface PersonalRule<State, Event extends PersonalEvent> {
  readonly fold: Fold<State, RecordedEvent<Event>>;
  readonly decide: (state: State) => readonly Event[];
}

/** Decides about what concerns one person alone, each on their own stream. */
@Injectable()
export class PersonalChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /** @throws ApplicationError `invalidApiKey` for an account that is not in the directory yet */
  acting({ userId }: Pick<Caller, 'userId'>): Acting {
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const user = moment.directory.user(userId);
    if (user === null) throw failure('invalidApiKey');
    return { moment, user };
  }

  /**
   * Who asks about their drafts.
   *
   * @throws ApplicationError `draftsNotKept` where they do not want the server to keep them
   */
  keepingDrafts(caller: Pick<Caller, 'userId'>): Acting {
    const acting = this.acting(caller);
    if (!acting.moment.directory.settings.value(acting.user.id, 'enable_drafts_synchronization')) {
      throw failure('draftsNotKept');
    }
    return acting;
  }

  /** What concerns a person alone, as their stream tells it now. */
  async load<State, Event extends PersonalEvent>(
    userId: number,
    fold: Fold<State, RecordedEvent<Event>>,
  ): Promise<State> {
    return (await this.streams.load({ stream: personalStream(userId), fold })).state;
  }

  /** Appends what a rule makes of a person's own request, and answers what was appended. */
  async apply<State, Event extends PersonalEvent>(
    caller: Caller,
    rule: PersonalRule<State, Event>,
  ): Promise<readonly RecordedEvent<Event>[]> {
    return this.applyAs(caller.userId, rule, requestMetadata(caller, this.clock.now()));
  }

  /** Appends what a rule makes of what concerns a person, whoever brings it about. */
  async applyAs<State, Event extends PersonalEvent>(
    userId: number,
    rule: PersonalRule<State, Event>,
    metadata: EventMetadata,
  ): Promise<readonly RecordedEvent<Event>[]> {
    const appended = await handle(this.streams, { stream: personalStream(userId), ...rule, metadata });
    return appended?.events ?? [];
  }
}
