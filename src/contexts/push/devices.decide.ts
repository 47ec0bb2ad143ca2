import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { devicesOf, type Devices, ownDevice, reachableDevicesOf } from './devices.state.js';
import type { DeviceEvent } from '../../events/devices.js';
import type { RelayRegistration } from './push-relay.js';

/** @throws ApplicationError `tooManyDevices` */
export function decideRegisterDevice(state: Devices, userId: number): readonly DeviceEvent[] {
  if (devicesOf(state, userId).length >= budgets.devices.max) throw failure('tooManyDevices');
  return [{ type: 'DeviceRegistered', data: { deviceId: idAtRevision(state.nextRevision), userId } }];
}

/** The parts of a device's registration that change. */
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

/** @throws ApplicationError `noSuchDevice` */
export function decideRemoveDevice(state: Devices, userId: number, deviceId: number): readonly DeviceEvent[] {
  ownDevice(state, userId, deviceId);
  return [{ type: 'DeviceRemoved', data: { deviceId, userId } }];
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
