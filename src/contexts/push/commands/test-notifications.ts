import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import type { Caller } from '../../../http/caller.js';
import { toSeconds } from '../../../kernel/clock.js';
import { failure } from '../../../kernel/errors.js';
import { PublicAddress } from '../../../http/public-address.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { reachableDevicesOf, tokensOf } from '../devices.state.js';
import { PushSender } from '../push-sender.js';
import { relayFailure } from '../push-relay.js';
import { tokenIdOf } from '../device-keys.js';

/** Sends an encrypted test notification (`POST /mobile_push/e2ee/test_notification`). */
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
   * @throws ApplicationError `noActivePushDevice`, also when the relay knows none of the devices any more;
   * `pushServiceNotConfigured`, or the error of the relay's failure
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

/** Sends a test notification that is not encrypted (`POST /mobile_push/test_notification`). */
export class TestDeviceTokens extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Null: all tokens of the caller, of which there may be none. */
    readonly token: string | null,
  ) {
    super();
  }
}

@CommandHandler(TestDeviceTokens)
export class TestDeviceTokensHandler implements ICommandHandler<TestDeviceTokens> {
  constructor(
    private readonly push: PushSender,
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly clock: SystemClock,
  ) {}

  /**
   * @throws ApplicationError `invalidPushDeviceToken`, `pushServiceNotConfigured`, or the error of the
   * relay's failure
   */
  async execute({ caller: { userId }, token }: TestDeviceTokens): Promise<void> {
    const known = tokensOf(await this.push.devices(), userId);
    const meant = token === null ? known : known.filter(({ tokenId }) => tokenId === tokenIdOf(token));
    if (token !== null && meant.length === 0) throw failure('invalidPushDeviceToken');
    if (meant.length === 0) return;
    const relay = this.push.requiredRelay();
    const fields = {
      event: 'test',
      realm_url: this.address.url,
      realm_name: this.follower.current().organizationName,
      user_id: String(userId),
      time: String(toSeconds(this.clock.now())),
    };
    await this.push.sendByTokens(relay, meant, fields).catch((error: unknown) => {
      throw relayFailure(error);
    });
  }
}
