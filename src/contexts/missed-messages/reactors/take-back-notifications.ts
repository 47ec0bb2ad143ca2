import { Injectable } from '@nestjs/common';
import type { Reactor } from '../../../../projections/engine/reactor.js';
import { RunsAsReactor } from '../../../../projections/engine/background-work.js';
import { Decisions } from '../../../http/decisions.js';
import { serverMetadata } from '../../../stores/event-store/command-metadata.js';
import { commandIdOf } from '../../../stores/event-store/event-id.js';
import type { Recorded } from '../../../kernel/event.js';
import { on } from '../../../kernel/event-handlers.js';
import { MessagesMarkedRead } from '../../../events/message-flags.js';
import { reachableDevicesOf } from '../../push/devices.state.js';
import { PushSender } from '../../push/push-sender.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { decideRemoveNotifications } from '../missed-messages.decide.js';
import { MissedReader } from '../missed-reader.js';
import { NotificationWording } from '../notification-wording.js';

const NAME = 'take-back-notifications';

/** Maximum number of ids in one notification; others stay on the device until it is used. */
const MAX_IDS = 1_000;

/** Removes notifications of messages that a person has read from their devices. */
@Injectable()
@RunsAsReactor()
export class TakeBackNotifications implements Reactor {
  readonly name = NAME;
  readonly on = on(MessagesMarkedRead, (event) => this.takeBack(event));

  constructor(
    private readonly reader: MissedReader,
    private readonly push: PushSender,
    private readonly wording: NotificationWording,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /** @throws RelayError when nothing can be sent; the engine then retries */
  private async takeBack({
    id,
    data: { userId, ranges },
  }: Recorded<typeof MessagesMarkedRead>): Promise<void> {
    const { relay } = this.push;
    const messageIds = await this.reader.shownIn(userId, ranges, MAX_IDS);
    if (relay === null || messageIds.length === 0) return;
    const devices = reachableDevicesOf(await this.push.devices(), userId);
    await this.push.send(relay, devices, this.wording.removal(userId, messageIds));
    await this.decisions.append(
      `notifications-${userId}`,
      decideRemoveNotifications(userId, messageIds),
      serverMetadata(commandIdOf([NAME, id]), this.clock.now(), id),
    );
  }
}
