import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { ModelPositions } from '../../../../projections/engine/model-positions.js';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { PersonMuted } from '../../../events/attention.js';
import { UsersUnsubscribed } from '../../../events/subscriptions.js';
import { MESSAGES_STREAM } from '../../../events/messages.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { TimeSlice } from '../../../runtime/time-slice.js';
import { EventLog } from '../../../stores/event-store/event-log.js';
import { FlagDecisions } from '../flags/flag-decisions.js';
import { LeftChannelMarker } from '../flags/left-channel-marker.js';
import { MAX_MESSAGE_ID } from '../narrow/sources.js';
import type { Term } from '../narrow/terms.js';

/** Marks as read what people had not read of a channel that they left. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ReadLeftChannels implements Reactor {
  readonly name = 'read-left-channels';
  readonly on = on(UsersUnsubscribed, (event) => this.read(event));

  constructor(
    private readonly log: EventLog,
    private readonly positions: ModelPositions,
    private readonly follower: DirectoryFollower,
    private readonly left: LeftChannelMarker,
  ) {}

  /** @throws ModelBehindError when a read model has not passed the event yet; the engine then retries */
  private async read(event: Recorded<typeof UsersUnsubscribed>): Promise<void> {
    await this.knowMessages();
    await this.follower.waitForEvent(event);
    await this.left.read(event);
  }

  /**
   * The read model is waited for by the position of the last message, because it takes its own events at
   * once.
   */
  private async knowMessages(): Promise<void> {
    const [last] = await this.log.store.readStream(MESSAGES_STREAM, { direction: 'backwards', limit: 1 });
    if (last !== undefined) await this.positions.waitForEvent(last);
  }
}

/** How many messages one event marks as read: few enough to be found on the thread that answers requests. */
const PAGE_SIZE = 1000;

/** Marks a person's unread messages from somebody as read when they mute them. */
@Injectable()
@RunsAsReactor({ awaited: true })
export class ReadMutedPeople implements Reactor {
  readonly name = 'read-muted-people';
  readonly on = on(PersonMuted, (event) => this.read(event));

  constructor(
    private readonly flags: FlagDecisions,
    private readonly follower: DirectoryFollower,
  ) {}

  /**
   * Messages that are read already are skipped, so repeating this has no effect. It comes to an end, because what the muted person sends from
   * now on arrives read.
   */
  private async read(cause: Recorded<typeof PersonMuted>): Promise<void> {
    const {
      id,
      data: { userId, mutedUserId },
      metadata: { client },
    } = cause;
    if (this.follower.current().user(userId)?.isActive !== true) return;
    const caller = { userId, client, requestId: id };
    const terms: readonly Term[] = [
      { operator: 'is', operand: 'unread', negated: false },
      { operator: 'sender', operand: mutedUserId, negated: false },
    ];
    const slice = new TimeSlice();
    for (let from = 1; ;) {
      if (slice.isOver) await slice.next();
      const session = await this.flags.open(caller);
      const window = { from, to: MAX_MESSAGE_ID };
      const range = { window, order: 1, limit: PAGE_SIZE } as const;
      const messages = await session.search.findPlaces(await session.compile(terms), range);
      if (messages.length > 0)
        await this.flags.apply(caller, session, { change: { op: 'add', flag: 'read' }, messages, cause });
      if (messages.length < PAGE_SIZE) return;
      from = messages.at(-1)!._id + 1;
    }
  }
}
