import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { failure } from '../../../kernel/errors.js';
import { PublicAddress } from '../../organization/public-address.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { reachableDevicesOf } from '../devices.js';
import { PushSender } from '../push-sender.js';
import { relayFailure } from '../relay-failures.js';

/** Sends a notification that says nothing but that it came (specification, POST /mobile_push/e2ee/test_notification). */
export class SendTestNotification extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Null: every device of the caller's. */
    readonly deviceId: number | null,
  ) {
    super();
  }
}

@CommandHandler(SendTestNotification)
export class SendTestNotificationHandler implements ICommandHandler<SendTestNotification> {
  constructor(
    private readonly push: PushSender,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly clock: SystemClock,
  ) {}

  /**
   * @throws ApplicationError `noActivePushDevice` also when the relay knows none of them any more; `pushServiceNotConfigured`, or
   * what the relay's failure is
   */
  async execute({ caller: { userId }, deviceId }: SendTestNotification): Promise<void> {
    const reachable = reachableDevicesOf(await this.push.devices(), userId);
    const devices = reachable.filter(({ id }) => deviceId === null || id === deviceId);
    if (devices.length === 0) throw failure('noActivePushDevice');
    const relay = this.push.requiredRelay();
    const notification = {
      type: 'test',
      realm_url: this.address.url,
      realm_name: this.follower.current().organizationName,
      user_id: userId,
      time: toSeconds(this.clock.now()),
    };
    const sent = await this.push.send(relay, devices, notification).catch((error: unknown) => {
      throw relayFailure(error);
    });
    if (sent === 0) throw failure('noActivePushDevice');
  }
}
