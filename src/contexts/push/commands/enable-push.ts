import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { requestMetadata } from '../../../stores/event-store/command-metadata.js';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { SystemClock } from '../../../runtime/system-clock.js';
import { DeviceKeys } from '../device-keys.js';
import { ownDevice, type Device, type Devices } from '../devices.js';
import type { DeviceEvent } from '../../../events/devices.js';
import { pushKeyOf } from '../notification-sealing.js';
import type { PushRelay, RelayRegistration } from '../push-relay.js';
import { PushSender } from '../push-sender.js';
import { relayFailure } from '../relay-failures.js';

/** What notifications for a device are to be encrypted with. */
export interface PushKeyRequest {
  readonly pushKeyId: number;
  /** Base64. */
  readonly pushKey: string;
}

/** Gives a device another key, another token, or both: then notifications are sent to it. */
export class EnablePush extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly deviceId: number,
    readonly request: {
      /** Null: it keeps the one that it has. */
      readonly key: PushKeyRequest | null;
      /** Null: as for the key. */
      readonly token: Omit<RelayRegistration, 'deviceId'> | null;
    },
  ) {
    super();
  }
}

/** What a device is to have, as far as it does not have it. */
export interface DevicePush {
  readonly deviceId: number;
  readonly pushKeyId: number | null;
  readonly token: Pick<RelayRegistration, 'tokenKind' | 'tokenId'> | null;
}

/** @throws ApplicationError `noSuchDevice`; `pushKeyRequired` for a token without a key */
export function decideEnablePush(
  state: Devices,
  userId: number,
  { deviceId, pushKeyId: newKeyId, token }: DevicePush,
): readonly DeviceEvent[] {
  const device = ownDevice(state, userId, deviceId);
  const pushKeyId = newKeyId ?? device.pushKeyId;
  if (pushKeyId === null) throw failure('pushKeyRequired');
  if (token !== null) {
    const { tokenKind, tokenId } = token;
    return [{ type: 'DevicePushEnabled', data: { deviceId, userId, tokenKind, tokenId, pushKeyId } }];
  }
  return newKeyId === null ? [] : [{ type: 'DevicePushKeyChanged', data: { deviceId, userId, pushKeyId } }];
}

@CommandHandler(EnablePush)
export class EnablePushHandler implements ICommandHandler<EnablePush> {
  constructor(
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
    private readonly clock: SystemClock,
  ) {}

  /**
   * The relay comes first, since it may refuse; then the key, without which nothing could be sent; then the event. What a device
   * has already is not done again: clients send it whenever they are unsure.
   *
   * @throws ApplicationError `pushServiceNotConfigured`, `noSuchDevice`, `nothingToRegister`, `pushKeyRequired`, `invalidPushKey`,
   * or what the relay's failure is
   */
  async execute({ caller, deviceId, request }: EnablePush): Promise<void> {
    const relay = this.push.requiredRelay();
    const device = ownDevice(await this.push.devices(), caller.userId, deviceId);
    if (request.key === null && request.token === null) throw failure('nothingToRegister');
    const key = await this.newKey(device, request);
    if (request.token !== null && key === null && device.pushKeyId === null) throw failure('pushKeyRequired');
    const token = request.token?.tokenId === device.push?.tokenId ? null : request.token;
    if (token !== null) await registered(relay, { deviceId, ...token });
    if (key !== null) await this.keys.put(device, key.bytes);
    await this.push.decide(requestMetadata(caller, this.clock.now()), (state) =>
      decideEnablePush(state, caller.userId, { deviceId, pushKeyId: key?.id ?? null, token }),
    );
  }

  /** A key that the device does not have yet. */
  private async newKey(
    device: Device,
    { key, token }: EnablePush['request'],
  ): Promise<{ readonly id: number; readonly bytes: Buffer } | null> {
    if (key === null) return null;
    if (token === null && device.pushKeyId === null) throw failure('pushKeyRequired');
    const bytes = pushKeyOf(key.pushKey);
    const known = await this.keys.of(device);
    const isKnown = device.pushKeyId === key.pushKeyId && known !== null && bytes.equals(known);
    return isKnown ? null : { id: key.pushKeyId, bytes };
  }
}

async function registered(relay: PushRelay, registration: RelayRegistration): Promise<void> {
  await relay.register(registration).catch((error: unknown) => {
    throw relayFailure(error);
  });
}
