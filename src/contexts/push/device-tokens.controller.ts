import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { AddDeviceToken, RemoveDeviceToken } from './commands/device-tokens.js';
import { TestDeviceTokens } from './commands/test-notifications.js';
import {
  AddAppleTokenParameters,
  DeviceTokenParameters,
  TestDeviceTokensParameters,
} from './push.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

const APNS = 'users/me/apns_device_token';
const FCM = 'users/me/android_gcm_reg_id';

/** Tokens of devices whose clients do not support encrypted notifications. */
@ApiTags('push notifications')
@Controller()
export class DeviceTokensController {
  constructor(private readonly commands: CommandBus) {}

  /** Adds the token of an Apple device. */
  @Reply()
  @Post(APNS)
  async addApple(
    @CurrentCaller() caller: Caller,
    @Parameters(AddAppleTokenParameters) { token, appid }: AddAppleTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new AddDeviceToken(caller, { kind: 'apns', token }, appid));
  }

  /** Removes the token of an Apple device. */
  @Reply()
  @Delete(APNS)
  async removeApple(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new RemoveDeviceToken(caller, { kind: 'apns', token }));
  }

  /** Adds the token of an Android device. */
  @Reply()
  @Post(FCM)
  async addAndroid(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new AddDeviceToken(caller, { kind: 'fcm', token }, null));
  }

  /** Removes the token of an Android device. */
  @Reply()
  @Delete(FCM)
  async removeAndroid(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new RemoveDeviceToken(caller, { kind: 'fcm', token }));
  }

  /** Sends a test notification to the caller's tokens. */
  @Reply()
  @Post('mobile_push/test_notification')
  async test(
    @CurrentCaller() caller: Caller,
    @Parameters(TestDeviceTokensParameters) { token }: TestDeviceTokensParameters,
  ): Promise<void> {
    await this.commands.execute(new TestDeviceTokens(caller, token ?? null));
  }
}
