import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { devicesOf, type Devices } from '../devices.js';
import type { DeviceEvent } from '../../../events/devices.js';
import { PushSender } from '../push-sender.js';

/** Makes a client program on a device known (facts, section 5). Answers the device's id. */
export class RegisterDevice extends Command<number> {
  constructor(readonly caller: Caller) {
    super();
  }
}

/** @throws ApplicationError `tooManyDevices` */
export function decideRegisterDevice(state: Devices, userId: number): readonly DeviceEvent[] {
  if (devicesOf(state, userId).length >= budgets.devices.max) throw failure('tooManyDevices');
  return [{ type: 'DeviceRegistered', data: { deviceId: idAtRevision(state.nextRevision), userId } }];
}

@CommandHandler(RegisterDevice)
export class RegisterDeviceHandler implements ICommandHandler<RegisterDevice> {
  constructor(
    private readonly push: PushSender,
    private readonly clock: SystemClock,
  ) {}

  async execute({ caller: { userId, client } }: RegisterDevice): Promise<number> {
    const [registered] = await this.push.decide(
      requestMetadata({ userId, client }, this.clock.now()),
      (state) => decideRegisterDevice(state, userId),
    );
    if (registered === undefined) throw failure('internalError');
    return registered.data.deviceId;
  }
}
