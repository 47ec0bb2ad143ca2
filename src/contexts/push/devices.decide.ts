import type { DeviceEvent, tokenKinds } from '../../events/devices.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import {
  devicesOf,
  ownDevice,
  reachableDevicesOf,
  tokensOf,
  type Devices,
  type DeviceToken,
  type ReachableDevice,
} from './devices.state.js';
import type { RelayRegistration } from './push-relay.js';

/** @throws ApplicationError `tooManyDevices` */
export function decideRegisterDevice(state: Devices, userId: number): readonly DeviceEvent[] {
  if (devicesOf(state, userId).length >= budgets.devices.max) throw failure('tooManyDevices');
  return [{ type: 'DeviceRegistered', data: { deviceId: idAtRevision(state.nextRevision), userId } }];
}

/** The parts of a device's registration that change. */
interface DevicePush {
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

/** @throws ApplicationError `noSuchDevice` */
export function decideRemoveDevice(state: Devices, userId: number, deviceId: number): readonly DeviceEvent[] {
  ownDevice(state, userId, deviceId);
  return [{ type: 'DeviceRemoved', data: { deviceId, userId } }];
}

/** Disables a device that the relay no longer knows. */
export function decideDisablePush(
  { byId }: Devices,
  { id: deviceId, userId }: Pick<ReachableDevice, 'id' | 'userId'>,
): readonly DeviceEvent[] {
  return byId.get(deviceId)?.push == null ? [] : [{ type: 'DevicePushDisabled', data: { deviceId, userId } }];
}

/** Ends the registrations for notifications that a person's devices had at a time, in milliseconds; those made since stay. */
export function decideEndPush(
  state: Devices,
  { userId, before }: { readonly userId: number; readonly before: number },
): readonly DeviceEvent[] {
  return reachableDevicesOf(state, userId)
    .filter(({ push }) => push.registeredAt <= before)
    .map(({ id }) => ({ type: 'DevicePushDisabled', data: { deviceId: id, userId } }));
}

/** A token as a client sends it. */
export interface TokenInput {
  readonly kind: (typeof tokenKinds)[number];
  readonly token: string;
}

/** Identifies a token outside of the credential store. */
export type NamedToken = Pick<DeviceToken, 'tokenKind' | 'tokenId'>;

/** @throws ApplicationError `invalidDeviceToken` */
export function refuseUnusable({ kind, token }: TokenInput): void {
  const isText = token.length > 0 && token.length <= budgets.deviceTokenLength.max;
  const isHexadecimal = /^([\da-f]{2})+$/i.test(token);
  if (!isText || (kind === 'apns' && !isHexadecimal)) throw failure('invalidDeviceToken');
}

/** The person's existing record of the token; undefined: none. */
export function existingToken(
  state: Devices,
  userId: number,
  { tokenKind, tokenId }: NamedToken,
): DeviceToken | undefined {
  return tokensOf(state, userId).find((known) => known.tokenKind === tokenKind && known.tokenId === tokenId);
}

/**
 * An existing token is not added again.
 *
 * @throws ApplicationError `tooManyDeviceTokens`
 */
export function decideAddDeviceToken(
  state: Devices,
  named: NamedToken,
  { userId, appId }: Pick<DeviceToken, 'userId' | 'appId'>,
): readonly DeviceEvent[] {
  if (existingToken(state, userId, named) !== undefined) return [];
  if (tokensOf(state, userId).length >= budgets.deviceTokens.max) throw failure('tooManyDeviceTokens');
  const deviceId = idAtRevision(state.nextRevision);
  const { tokenKind, tokenId } = named;
  return [{ type: 'DeviceTokenAdded', data: { deviceId, userId, tokenKind, tokenId, appId } }];
}

/** @throws ApplicationError `noSuchDeviceToken` */
export function decideRemoveDeviceToken(
  state: Devices,
  userId: number,
  named: NamedToken,
): readonly DeviceEvent[] {
  const known = existingToken(state, userId, named);
  if (known === undefined) throw failure('noSuchDeviceToken');
  return [{ type: 'DeviceTokenRemoved', data: { deviceId: known.deviceId, userId } }];
}

/** Removes a token that the relay no longer knows. */
export function decideForgetDeviceToken(
  state: Devices,
  { userId, deviceId }: Pick<DeviceToken, 'userId' | 'deviceId'>,
): readonly DeviceEvent[] {
  const isKnown = tokensOf(state, userId).some((token) => token.deviceId === deviceId);
  return isKnown ? [{ type: 'DeviceTokenRemoved', data: { deviceId, userId } }] : [];
}
