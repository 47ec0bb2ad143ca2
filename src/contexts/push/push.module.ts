import { Module, type DynamicModule } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Configuration } from '../../config.js';
import { Metrics } from '../../http/monitoring/metrics.js';
import { PublicAddress } from '../../http/public-address.js';
import type { Stores } from '../../stores/stores.js';
import { AddDeviceTokenHandler, RemoveDeviceTokenHandler } from './commands/device-tokens.js';
import { EnablePushHandler, RegisterDeviceHandler, RemoveDeviceHandler } from './commands/devices.js';
import { SendTestNotificationHandler, TestDeviceTokensHandler } from './commands/test-notifications.js';
import { DeviceTokensController } from './device-tokens.controller.js';
import { ConfiguredRelay, PushRelay, relayFailures, type RelayFailure } from './push-relay.js';
import { DeviceKeys } from './device-keys.js';
import { PushController } from './push.controller.js';
import { PushSender } from './push-sender.js';
import { GetDevicesHandler } from './queries/get-devices.js';
import { EndPushRegistrations } from './reactors.js';

const handlers = [
  GetDevicesHandler,
  RegisterDeviceHandler,
  RemoveDeviceHandler,
  EnablePushHandler,
  SendTestNotificationHandler,
  AddDeviceTokenHandler,
  RemoveDeviceTokenHandler,
  TestDeviceTokensHandler,
];

/** What the push context needs from the process. */
interface PushModuleOptions {
  readonly configuration: Pick<Configuration, 'pushRelay'>;
  readonly stores: Pick<Stores, 'credentialStore' | 'vault'>;
}

/**
 * Devices and push notifications. Global, for notifications of missed messages: exports {@link PushSender}
 * and {@link ConfiguredRelay}.
 */
@Module({})
export class PushModule {
  static register({ configuration: { pushRelay }, stores }: PushModuleOptions): DynamicModule {
    const relay = {
      provide: ConfiguredRelay,
      inject: [PublicAddress, Metrics],
      useFactory: (address: PublicAddress, metrics: Metrics) => {
        metrics.expectPushFailures(relayFailures);
        const organization = (): string => address.url;
        const onFailure = (failure: RelayFailure): void => metrics.pushFailed(failure);
        return new ConfiguredRelay(pushRelay && new PushRelay({ ...pushRelay, organization, onFailure }));
      },
    };
    const keys = new DeviceKeys(stores.credentialStore, stores.vault);
    return {
      module: PushModule,
      global: true,
      imports: [CqrsModule],
      controllers: [PushController, DeviceTokensController],
      providers: [
        relay,
        { provide: DeviceKeys, useValue: keys },
        PushSender,
        EndPushRegistrations,
        ...handlers,
      ],
      exports: [PushSender, ConfiguredRelay],
    };
  }
}
