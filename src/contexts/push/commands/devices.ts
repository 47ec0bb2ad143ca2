import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { foldedDevices, ownDevice, type Device } from '../devices.state.js';
import { Decisions } from '../../../http/decisions.js';
import { PushSender } from '../push-sender.js';
import { DeviceKeys, pushKeyOf } from '../device-keys.js';
import { relayFailure, type PushRelay, type RelayRegistration } from '../push-relay.js';
import { decideRegisterDevice, decideEnablePush, decideRemoveDevice } from '../devices.decide.js';

/** Registers a client program on a device (`POST /register_client_device`). Returns the device's id. */
export class RegisterDevice extends Command<number> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@CommandHandler(RegisterDevice)
export class RegisterDeviceHandler implements ICommandHandler<RegisterDevice> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller }: RegisterDevice): Promise<number> {
    const {
      events: [registered],
    } = await this.decisions.decide(caller, foldedDevices, (state) =>
      decideRegisterDevice(state, caller.userId),
    );
    if (registered === undefined) throw failure('internalError');
    return registered.data.deviceId;
  }
}

/** The key for encrypting a device's notifications. */
export interface PushKeyRequest {
  readonly pushKeyId: number;
  /** Base64. */
  readonly pushKey: string;
}

/**
 * Sets a device's key, its token, or both: with both, notifications are sent to it (`POST
 * /mobile_push/register`).
 */
export class EnablePush extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly deviceId: number,
    readonly request: {
      /** Null: the key does not change. */
      readonly key: PushKeyRequest | null;
      /** Null: the token does not change. */
      readonly token: Omit<RelayRegistration, 'deviceId'> | null;
    },
  ) {
    super();
  }
}

@CommandHandler(EnablePush)
export class EnablePushHandler implements ICommandHandler<EnablePush> {
  constructor(
    private readonly decisions: Decisions,
    private readonly push: PushSender,
    private readonly keys: DeviceKeys,
  ) {}

  /**
   * The relay comes first, because it may refuse; then the key, without which nothing could be sent; then the
   * event. What the device has already is not repeated, because clients send this request whenever they are
   * unsure.
   *
   * @throws ApplicationError `pushServiceNotConfigured`, `noSuchDevice`, `nothingToRegister`,
   * `pushKeyRequired`, `invalidPushKey`, or the error of the relay's failure
   */
  async execute({ caller, deviceId, request }: EnablePush): Promise<void> {
    const relay = this.push.requiredRelay();
    const device = ownDevice(await this.decisions.load(foldedDevices), caller.userId, deviceId);
    if (request.key === null && request.token === null) throw failure('nothingToRegister');
    const key = await this.newKey(device, request);
    if (request.token !== null && key === null && device.pushKeyId === null) throw failure('pushKeyRequired');
    // A known token is registered again with a new key: clients renew both after a month, and compare the time.
    const isRegistered = key === null && request.token?.tokenId === device.push?.tokenId;
    const token = isRegistered ? null : request.token;
    if (token !== null) await registered(relay, { deviceId, ...token });
    if (key !== null) await this.keys.put(device, key.bytes);
    await this.decisions.decide(caller, foldedDevices, (state) =>
      decideEnablePush(state, caller.userId, { deviceId, pushKeyId: key?.id ?? null, token }),
    );
  }

  /** The key, unless the device has it already. */
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

/** Removes a device from the caller's account. */
export class RemoveDevice extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly deviceId: number,
  ) {
    super();
  }
}

@CommandHandler(RemoveDevice)
export class RemoveDeviceHandler implements ICommandHandler<RemoveDevice> {
  constructor(
    private readonly decisions: Decisions,
    private readonly keys: DeviceKeys,
  ) {}

  /**
   * The key is removed first: a device without one gets no notifications, and can still be removed after an
   * interruption.
   */
  async execute({ caller, deviceId }: RemoveDevice): Promise<void> {
    const { userId } = caller;
    await this.keys.remove(ownDevice(await this.decisions.load(foldedDevices), userId, deviceId));
    await this.decisions.decide(caller, foldedDevices, (state) =>
      decideRemoveDevice(state, userId, deviceId),
    );
  }
}
