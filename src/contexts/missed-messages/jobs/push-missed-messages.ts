import { Injectable } from '@nestjs/common';
import { RunsAsJob, type Job } from '../../../../projections/engine/background-work.js';
import { DueRounds } from '../../../../projections/engine/due-rounds.js';
import { FailurePause } from '../../../../projections/engine/pause.js';
import { isAboutStores } from '../../../../projections/engine/poison-event.js';
import { UnrecordedOutcomes } from '../../../../projections/engine/unrecorded-outcomes.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../../stores/event-store/event-id.js';
import type { MissedMessageEvent } from '../../../events/missed-messages.js';
import { Decisions } from '../../../http/decisions.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { reachableDevicesOf } from '../../push/devices.state.js';
import { RelayError } from '../../push/push-relay.js';
import { PushSender, type NotifiedDevices } from '../../push/push-sender.js';
import type { MissedPushDocument } from '../read-model.js';
import { MissedReader } from '../missed-reader.js';
import { NotificationWording } from '../notification-wording.js';
import { decideDropPushes, decidePushed } from '../missed-messages.decide.js';
import { pushedOf } from '../missed-messages.state.js';

/** Milliseconds after which a notification is dropped, because it would only confuse. */
const MAX_LIFE = 3_600_000;

/** How many outcomes are kept that could not be recorded. */
const UNRECORDED = 10_000;

/** What became of a notification. */
interface Outcome extends NotifiedDevices {
  /** Whether it was needed, but could not be sent in time. */
  readonly isDropped: boolean;
}

const notNeeded: Outcome = { count: 0, gone: [], isDropped: false };
const tooLate: Outcome = { ...notNeeded, isDropped: true };

/**
 * Sends push notifications about missed messages. While the relay fails, or the log cannot be written, it is tried
 * less and less often.
 */
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
    endsRound: concernsAll,
  });
  private readonly unrecorded = new UnrecordedOutcomes<Outcome>(UNRECORDED);
  private readonly pause = new FailurePause({ first: 1_000, max: 60_000 }, concernsAll);

  constructor(
    private readonly reader: MissedReader,
    private readonly push: PushSender,
    private readonly wording: NotificationWording,
    private readonly decisions: Decisions,
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  private async sendOne(missed: MissedPushDocument, now: number): Promise<void> {
    if ((await this.decisions.load(pushedOf(missed.messageId))).has(missed.userId)) return;
    await this.unrecorded.complete(missed._id, {
      perform: () => this.notify(missed, now),
      record: (outcome) => this.record(missed, outcome),
    });
  }

  /** Null: the read model does not have the message yet. */
  private async notify(missed: MissedPushDocument, now: number): Promise<Outcome | null> {
    const { userId, notedAt } = missed;
    const { relay } = this.push;
    const isActive = this.follower.current().user(userId)?.isActive === true;
    if (relay === null || !isActive) return notNeeded;
    const { unread, passedIds } = await this.reader.examine(userId, [missed], now);
    const [message] = unread;
    if (message === undefined) return passedIds.length > 0 ? notNeeded : null;
    const devices = reachableDevicesOf(await this.push.devices(), userId);
    if (now - notedAt > MAX_LIFE) return devices.length > 0 ? tooLate : notNeeded;
    const notified = await this.push.notify(relay, devices, await this.wording.of(message, missed));
    return { ...notified, isDropped: false };
  }

  private async record(
    { messageId, userId }: MissedPushDocument,
    { count, gone, isDropped }: Outcome,
  ): Promise<void> {
    await this.push.disable(gone);
    const people =
      count > 0 ? { userIds: [userId], passedUserIds: [] } : { userIds: [], passedUserIds: [userId] };
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.decisions.record(metadata, pushedOf(messageId), (settled): readonly MissedMessageEvent[] =>
      isDropped
        ? decideDropPushes(settled, { messageId, userIds: [userId] })
        : decidePushed(settled, { messageId, ...people }),
    );
  }
}

/** Whether no notification can be sent and recorded at present. */
function concernsAll(error: unknown): boolean {
  return error instanceof RelayError || isAboutStores(error);
}
