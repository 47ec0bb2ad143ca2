import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { EnablePush, RegisterDevice, RemoveDevice } from './commands/devices.js';
import { SendTestNotification } from './commands/test-notifications.js';
import {
  EnablePushParameters,
  keyIn,
  RemoveDeviceParameters,
  TestNotificationParameters,
  tokenIn,
} from './push.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { registeredDeviceReply } from './push.replies.js';

/** Devices and their push notifications. */
@ApiTags('push notifications')
@Controller()
export class PushController {
  constructor(private readonly commands: CommandBus) {}

  /** Registers a client program on a device. */
  @Reply(registeredDeviceReply)
  @Post('register_client_device')
  async register(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { device_id: await this.commands.execute(new RegisterDevice(caller)) };
  }

  /** Removes a device from the caller's account. */
  @Reply()
  @Post('remove_client_device')
  async remove(
    @CurrentCaller() caller: Caller,
    @Parameters(RemoveDeviceParameters) { device_id }: RemoveDeviceParameters,
  ): Promise<void> {
    await this.commands.execute(new RemoveDevice(caller, device_id));
  }

  /** Enables notifications for a device: takes a key for them, a token of the device, or both. */
  @Reply()
  @Post('mobile_push/register')
  async enable(
    @CurrentCaller() caller: Caller,
    @Parameters(EnablePushParameters) parameters: EnablePushParameters,
  ): Promise<void> {
    const request = { key: keyIn(parameters), token: tokenIn(parameters) };
    await this.commands.execute(new EnablePush(caller, parameters.device_id, request));
  }

  /** Sends an encrypted test notification to the caller's devices. */
  @Reply()
  @Post('mobile_push/e2ee/test_notification')
  async test(
    @CurrentCaller() caller: Caller,
    @Parameters(TestNotificationParameters) { device_id }: TestNotificationParameters,
  ): Promise<void> {
    await this.commands.execute(new SendTestNotification(caller, device_id ?? null));
  }
}
