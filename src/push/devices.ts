import type { Fold } from '../kernel/decider.js';
import { failure } from '../kernel/errors.js';
import type { RecordedEvent } from '../kernel/event.js';
import { PersistentMap } from '../kernel/persistent-map.js';
import type { DeviceEvent, tokenKinds } from './events.js';

/** The stream of all devices. */
export const devicesStream = 'devices';

/** How notifications reach a device. */
export interface PushRegistration {
  readonly tokenKind: (typeof tokenKinds)[number];
  readonly tokenId: string;
  readonly pushKeyId: number;
  /** Milliseconds since the UNIX epoch. */
  readonly registeredAt: number;
}

/** A client program on a device. */
export interface Device {
  readonly id: number;
  readonly userId: number;
  /** Null while nothing can be sent to it. */
  readonly push: PushRegistration | null;
}

/** A device that notifications can be sent to. */
export interface ReachableDevice extends Device {
  readonly push: PushRegistration;
}

/** Every device that people registered, as the stream of devices tells. */
export interface Devices {
  readonly byId: PersistentMap<number, Device>;
  readonly idsByUser: PersistentMap<number, readonly number[]>;
  /** Revision that the next event of the stream will have. */
  readonly nextRevision: number;
}

/** How many devices a person may register; older ones give way to nobody. */
export const mostDevices = 100;

/** How the devices follow from their stream. */
export const devicesFold: Fold<Devices, RecordedEvent<DeviceEvent>> = {
  snapshot: { name: 'devices', version: 1 },
  initial: { byId: PersistentMap.empty(), idsByUser: PersistentMap.empty(), nextRevision: 0 },
  evolve(state, event) {
    const { byId, idsByUser } = state;
    const { deviceId: id, userId } = event.data;
    const nextRevision = event.revision + 1;
    const ids = idsByUser.get(userId) ?? [];
    switch (event.type) {
      case 'DeviceRegistered':
        return {
          byId: byId.set(id, { id, userId, push: null }),
          idsByUser: idsByUser.set(userId, [...ids, id]),
          nextRevision,
        };
      case 'DevicePushEnabled': {
        const { tokenKind, tokenId, pushKeyId } = event.data;
        const push = { tokenKind, tokenId, pushKeyId, registeredAt: event.metadata.at };
        return { byId: byId.set(id, { id, userId, push }), idsByUser, nextRevision };
      }
      case 'DevicePushDisabled':
        return { byId: byId.set(id, { id, userId, push: null }), idsByUser, nextRevision };
      case 'DeviceRemoved':
        return {
          byId: byId.delete(id),
          idsByUser: idsByUser.set(
            userId,
            ids.filter((one) => one !== id),
          ),
          nextRevision,
        };
    }
  },
};

/** The devices of a person, oldest first. */
export function devicesOf({ byId, idsByUser }: Devices, userId: number): readonly Device[] {
  return (idsByUser.get(userId) ?? []).flatMap((id) => byId.get(id) ?? []);
}

/** Those of a person that notifications can be sent to. */
export function reachableDevicesOf(devices: Devices, userId: number): readonly ReachableDevice[] {
  return devicesOf(devices, userId).filter((device): device is ReachableDevice => device.push !== null);
}

/** @throws ApplicationError `noSuchDevice`, alike for one of somebody else and for none */
export function ownDevice({ byId }: Devices, userId: number, deviceId: number): Device {
  const device = byId.get(deviceId);
  if (device?.userId !== userId) throw failure('noSuchDevice');
  return device;
}
