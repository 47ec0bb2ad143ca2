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
import {
  foldedDevices,
  tokensOf,
  type Devices,
  type DeviceToken,
  type ReachableDevice,
} from './devices.state.js';

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
    const sealed: SealedNotification[] = [];
    for (const device of devices) {
      const key = await this.keys.of(device);
      // After a crash, the key may be gone while the event that says so is missing.
      if (key === null) continue;
      const { tokenKind, tokenId, pushKeyId } = device.push;
      const payload = encryptNotification(key, notification);
      sealed.push({ deviceId: device.id, tokenKind, tokenId, pushKeyId, payload });
    }
    if (sealed.length === 0) return 0;
    const gone = new Set(await relay.notify(sealed));
    for (const { id, userId } of devices) if (gone.has(id)) await this.disable(id, userId);
    return sealed.filter(({ deviceId }) => !gone.has(deviceId)).length;
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
    for (const { deviceId, userId } of tokens) if (gone.has(deviceId)) await this.forget(deviceId, userId);
  }

  private async forget(deviceId: number, userId: number): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.keys.remove({ id: deviceId });
    await this.decisions.decideAs(metadata, foldedDevices, (state) =>
      tokensOf(state, userId).some((token) => token.deviceId === deviceId)
        ? [{ type: 'DeviceTokenRemoved', data: { deviceId, userId } }]
        : [],
    );
  }

  private async disable(deviceId: number, userId: number): Promise<void> {
    const metadata = serverMetadata(randomCommandId(), this.clock.now());
    await this.decisions.decideAs(metadata, foldedDevices, ({ byId }) =>
      byId.get(deviceId)?.push == null ? [] : [{ type: 'DevicePushDisabled', data: { deviceId, userId } }],
    );
  }
}
