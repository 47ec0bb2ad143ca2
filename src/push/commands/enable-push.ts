import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../event-store/command-metadata.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { SystemClock } from '../../system-clock.js';
import { DeviceKeys } from '../device-keys.js';
import { ownDevice, type Devices, type PushRegistration } from '../devices.js';
import type { DeviceEvent } from '../events.js';
import { pushKeyOf } from '../notification-sealing.js';
import type { RelayRegistration } from '../push-relay.js';
import { PushSender } from '../push-sender.js';
import { relayFailure } from '../relay-failures.js';

/** Makes a device one that notifications are sent to. */
export class EnablePush extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: RelayRegistration & {
      readonly pushKeyId: number;
      /** Base64. */
      readonly pushKey: string;
    },
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchDevice` */
export function decideEnablePush(
  state: Devices,
  userId: number,
  {
    deviceId,
    tokenKind,
    tokenId,
    pushKeyId,
  }: Omit<PushRegistration, 'registeredAt'> & {
    readonly deviceId: number;
  },
): readonly DeviceEvent[] {
  ownDevice(state, userId, deviceId);
  return [{ type: 'DevicePushEnabled', data: { deviceId, userId, tokenKind, tokenId, pushKeyId } }];
}

@CommandHandler(EnablePush)
export class EnablePushHandler implements ICommandHandler<EnablePush> {
  constructor(
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
    private readonly clock: SystemClock,
  ) {}

  /**
   * The relay comes first, since it may refuse; then the key, without which nothing could be sent; then the event.
   *
   * @throws ApplicationError `noSuchDevice`, `invalidPushKey`, `pushServiceNotConfigured`, or what the relay's failure is
   */
  async execute({ caller: { userId, client }, request }: EnablePush): Promise<void> {
    const device = ownDevice(await this.push.devices(), userId, request.deviceId);
    const key = pushKeyOf(request.pushKey);
    const { relay } = this.push;
    if (relay === null) throw failure('pushServiceNotConfigured');
    await relay.register(request).catch((error: unknown) => {
      throw relayFailure(error);
    });
    await this.keys.put(device, key);
    await this.push.decide(requestMetadata({ userId, client }, this.clock.now()), (state) =>
      decideEnablePush(state, userId, request),
    );
  }
}
