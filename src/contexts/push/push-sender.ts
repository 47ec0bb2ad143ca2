import { Injectable } from '@nestjs/common';
import { serverMetadata } from '../../stores/event-store/command-metadata.js';
import { randomCommandId } from '../../stores/event-store/event-id.js';
import { Decisions } from '../../http/decisions.js';
import { failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import {
  ConfiguredRelay,
  type ClearNotification,
  type PushRelay,
  type SealedNotification,
} from './push-relay.js';
import { DeviceKeys, encryptNotification } from './device-keys.js';
import { decideDisablePush, decideForgetDeviceToken } from './devices.decide.js';
import { foldedDevices, type Devices, type DeviceToken, type ReachableDevice } from './devices.state.js';

/** What came of a notification. */
export interface NotifiedDevices {
  /** How many devices it was sent to. */
  readonly count: number;
  /** Devices that the relay no longer knows. */
  readonly gone: readonly Pick<ReachableDevice, 'id' | 'userId'>[];
}

/** Sends notifications to devices, each encrypted for its device. */
@Injectable()
export class PushSender {
  constructor(
    private readonly relays: ConfiguredRelay,
    private readonly keys: DeviceKeys,
    private readonly decisions: Decisions,
    private readonly clock: SystemClock,
  ) {}

  /** Null if no relay is configured. */
  get relay(): PushRelay | null {
    return this.relays.relay;
  }

  /** @throws ApplicationError `pushServiceNotConfigured` */
  requiredRelay(): PushRelay {
    if (this.relay === null) throw failure('pushServiceNotConfigured');
    return this.relay;
  }

  /** All devices, as of the end of their stream. */
  devices(): Promise<Devices> {
    return this.decisions.load(foldedDevices);
  }

  /**
   * Sends one notification to devices. Devices that the relay no longer knows are disabled.
   *
   * @returns how many devices it was sent to
   * @throws RelayError
   */
  async send(relay: PushRelay, devices: readonly ReachableDevice[], notification: object): Promise<number> {
    const { count, gone } = await this.notify(relay, devices, notification);
    await this.disable(gone);
    return count;
  }

  /**
   * Sends one notification to devices, and records nothing.
   *
   * @throws RelayError
   */
  async notify(
    relay: PushRelay,
    devices: readonly ReachableDevice[],
    notification: object,
  ): Promise<NotifiedDevices> {
    const sealed: SealedNotification[] = [];
    for (const device of devices) {
      const key = await this.keys.of(device);
      // After a crash, the key may be gone while the event that says so is missing.
      if (key === null) continue;
      const { tokenKind, tokenId, pushKeyId } = device.push;
      const payload = encryptNotification(key, notification);
      sealed.push({ deviceId: device.id, tokenKind, tokenId, pushKeyId, payload });
    }
    if (sealed.length === 0) return { count: 0, gone: [] };
    const gone = new Set(await relay.notify(sealed));
    return {
      count: sealed.filter(({ deviceId }) => !gone.has(deviceId)).length,
      gone: devices.filter(({ id }) => gone.has(id)),
    };
  }

  /** Disables devices that the relay no longer knows. */
  async disable(gone: NotifiedDevices['gone']): Promise<void> {
    for (const device of gone) {
      const metadata = serverMetadata(randomCommandId(), this.clock.now());
      await this.decisions.record(metadata, foldedDevices, (state) => decideDisablePush(state, device));
    }
  }

  /**
   * Sends one notification that is not encrypted. Tokens that the relay no longer knows are removed.
   *
   * @throws RelayError
   */
  async sendByTokens(
    relay: PushRelay,
    tokens: readonly DeviceToken[],
    payload: Readonly<Record<string, string>>,
  ): Promise<void> {
    const notifications: ClearNotification[] = [];
    for (const { deviceId, tokenKind, appId } of tokens) {
      const token = await this.keys.of({ id: deviceId });
      if (token === null) continue;
      notifications.push({ deviceId, tokenKind, appId, token: Buffer.from(token).toString(), payload });
    }
    if (notifications.length === 0) return;
    const gone = new Set(await relay.notifyByTokens(notifications));
    for (const token of tokens) if (gone.has(token.deviceId)) await this.forget(token);
  }

  private async forget(token: DeviceToken): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.keys.remove({ id: token.deviceId });
    await this.decisions.record(metadata, foldedDevices, (state) => decideForgetDeviceToken(state, token));
  }
}
