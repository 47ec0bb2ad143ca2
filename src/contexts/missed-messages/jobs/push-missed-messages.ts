import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../../projections/engine/background-work.js';
import { DueRounds } from '../../../../projections/engine/due-rounds.js';
import { FailurePause } from '../../../../projections/engine/pause.js';
import { isAboutStores } from '../../../../projections/engine/poison-event.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import { Decisions } from '../../../http/decisions.js';
import type { EventOf } from '../../../kernel/event.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { reachableDevicesOf } from '../../push/devices.state.js';
import { RelayError } from '../../push/push-relay.js';
import { PushSender } from '../../push/push-sender.js';
import type { MissedMessagePushed } from '../../../events/missed-messages.js';
import type { MissedPushDocument } from '../read-model.js';
import { MissedReader } from '../missed-reader.js';
import { NotificationWording } from '../notification-wording.js';
import { decidePushed } from '../missed-messages.decide.js';
import { pushedOf } from '../missed-messages.state.js';

/** Milliseconds after which a notification is dropped, because it would only confuse. */
const MAX_LIFE = 3_600_000;

/** Sends push notifications about missed messages. While the relay fails, it is tried less and less often. */
@Injectable()
@RunsAsJob()
export class PushMissedMessages implements Job {
  readonly name = 'push-missed-messages';
  readonly everyMilliseconds = 500;
  /** While the organization is closed, nobody could open the messages. */
  readonly pausesWhileDeactivated = true;
  readonly perform = (): Promise<void> => this.pause.run(() => this.rounds.run());

  private readonly rounds = new DueRounds<MissedPushDocument>({
    find: async ({ skip, limit }) =>
      (await this.reader.pushes()).find({}, { sort: { notedAt: 1 }, skip, limit }),
    keyOf: ({ _id }) => _id,
    ownerOf: ({ userId }) => userId,
    perform: (missed) => this.sendOne(missed, this.clock.now()),
    endsRound: (error) => isAboutRelay(error) || isAboutStores(error),
  });
  private readonly pause = new FailurePause({ first: 1_000, max: 60_000 }, isAboutRelay);

  constructor(
    private readonly reader: MissedReader,
    private readonly push: PushSender,
    private readonly wording: NotificationWording,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async sendOne(missed: MissedPushDocument, now: number): Promise<void> {
    const { userId, messageId, notedAt } = missed;
    if ((await this.decisions.load(pushedOf(messageId))).has(userId)) return;
    const { relay } = this.push;
    const isWanted = this.follower.current().user(userId)?.isActive === true && now - notedAt <= MAX_LIFE;
    if (relay === null || !isWanted) return this.record(messageId, { userIds: [], passedUserIds: [userId] });
    const { unread, passedIds } = await this.reader.examine(userId, [missed], now);
    const [message] = unread;
    if (message === undefined) {
      if (passedIds.length > 0) await this.record(messageId, { userIds: [], passedUserIds: [userId] });
      return;
    }
    const devices = reachableDevicesOf(await this.push.devices(), userId);
    const sent = await this.push.send(relay, devices, await this.wording.of(message, missed));
    await this.record(
      messageId,
      sent > 0 ? { userIds: [userId], passedUserIds: [] } : { userIds: [], passedUserIds: [userId] },
    );
  }

  private async record(
    messageId: number,
    outcome: Omit<EventOf<typeof MissedMessagePushed>['data'], 'messageId'>,
  ): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.decisions.decideAs(metadata, pushedOf(messageId), (settled) =>
      decidePushed(settled, { messageId, ...outcome }),
    );
  }
}

function isAboutRelay(error: unknown): boolean {
  return error instanceof RelayError;
}
