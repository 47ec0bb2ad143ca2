import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import type { Caller } from '../../../http/caller.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { DeviceKeys } from '../device-keys.js';
import { ownDevice, type Devices } from '../devices.js';
import type { DeviceEvent } from '../../../events/devices.js';
import { PushSender } from '../push-sender.js';

/** Takes a device off the caller's account. */
export class RemoveDevice extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly deviceId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchDevice` */
export function decideRemoveDevice(state: Devices, userId: number, deviceId: number): readonly DeviceEvent[] {
  ownDevice(state, userId, deviceId);
  return [{ type: 'DeviceRemoved', data: { deviceId, userId } }];
}

@CommandHandler(RemoveDevice)
export class RemoveDeviceHandler implements ICommandHandler<RemoveDevice> {
  constructor(
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
    private readonly clock: SystemClock,
  ) {}

  /** The key goes first: a device without one is sent nothing, and can still be removed. */
  async execute({ caller: { userId, client }, deviceId }: RemoveDevice): Promise<void> {
    await this.keys.remove(ownDevice(await this.push.devices(), userId, deviceId));
    await this.push.decide(requestMetadata({ userId, client }, this.clock.now()), (state) =>
      decideRemoveDevice(state, userId, deviceId),
    );
  }
}
