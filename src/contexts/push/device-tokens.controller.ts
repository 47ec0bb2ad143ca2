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

const apns = 'users/me/apns_device_token';
const fcm = 'users/me/android_gcm_reg_id';

/** Tokens of devices whose clients know no encrypted notifications. */
@ApiTags('push notifications')
@Controller()
export class DeviceTokensController {
  constructor(private readonly commands: CommandBus) {}

  /** Makes the token of one of Apple's devices known. */
  @Reply()
  @Post(apns)
  async addApple(
    @CurrentCaller() caller: Caller,
    @Parameters(AddAppleTokenParameters) { token, appid }: AddAppleTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new AddDeviceToken(caller, { kind: 'apns', token }, appid));
  }

  /** Forgets the token of one of Apple's devices. */
  @Reply()
  @Delete(apns)
  async removeApple(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new RemoveDeviceToken(caller, { kind: 'apns', token }));
  }

  /** Makes the token of an Android device known. */
  @Reply()
  @Post(fcm)
  async addAndroid(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new AddDeviceToken(caller, { kind: 'fcm', token }, null));
  }

  /** Forgets the token of an Android device. */
  @Reply()
  @Delete(fcm)
  async removeAndroid(
    @CurrentCaller() caller: Caller,
    @Parameters(DeviceTokenParameters) { token }: DeviceTokenParameters,
  ): Promise<void> {
    await this.commands.execute(new RemoveDeviceToken(caller, { kind: 'fcm', token }));
  }

  /** Sends a notification to the caller's tokens, to see whether it arrives. */
  @Reply()
  @Post('mobile_push/test_notification')
  async test(
    @CurrentCaller() caller: Caller,
    @Parameters(TestDeviceTokensParameters) { token }: TestDeviceTokensParameters,
  ): Promise<void> {
    await this.commands.execute(new TestDeviceTokens(caller, token ?? null));
  }
}
