import { stream } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf, RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import type { DeviceEvent, DevicePushKeyChanged, tokenKinds } from '../../events/devices.js';

/** The stream of all devices. */
export const DEVICES_STREAM = 'devices';

/** How a device receives notifications. */
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
  /** The client's id of the key that encrypts its notifications; null: it never had one. */
  readonly pushKeyId: number | null;
  /** Null while nothing can be sent to it. */
  readonly push: PushRegistration | null;
}

/** A device that notifications can be sent to. */
export interface ReachableDevice extends Device {
  readonly push: PushRegistration;
}

/** The token of a device, to which notifications are sent unencrypted. */
export interface DeviceToken {
  readonly deviceId: number;
  readonly userId: number;
  readonly tokenKind: (typeof tokenKinds)[number];
  /** See {@link tokenIdOf}. */
  readonly tokenId: string;
  readonly appId: string | null;
}

/** All registered devices, folded from their stream. */
export interface Devices {
  readonly byId: PersistentMap<number, Device>;
  readonly idsByUser: PersistentMap<number, readonly number[]>;
  /** By person, oldest first. */
  readonly tokens: PersistentMap<number, readonly DeviceToken[]>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds the stream of devices. */
export const devicesFold: Fold<Devices, RecordedEvent<DeviceEvent>> = {
  snapshot: { name: 'devices', version: 3 },
  initial: {
    byId: PersistentMap.empty(),
    idsByUser: PersistentMap.empty(),
    tokens: PersistentMap.empty(),
    nextRevision: 0,
  },
  evolve(state, event) {
    const { byId, idsByUser, tokens } = state;
    const { deviceId: id, userId } = event.data;
    const nextRevision = event.revision + 1;
    const ids = idsByUser.get(userId) ?? [];
    switch (event.type) {
      case 'DeviceRegistered':
        return {
          ...state,
          byId: byId.set(id, { id, userId, pushKeyId: null, push: null }),
          idsByUser: idsByUser.set(userId, [...ids, id]),
          nextRevision,
        };
      case 'DevicePushEnabled': {
        const { tokenKind, tokenId, pushKeyId } = event.data;
        const push = { tokenKind, tokenId, pushKeyId, registeredAt: event.metadata.at };
        return { ...state, byId: byId.set(id, { id, userId, pushKeyId, push }), nextRevision };
      }
      case 'DevicePushKeyChanged':
        return { ...state, byId: byId.set(id, withKey(byId.get(id), event.data)), nextRevision };
      case 'DevicePushDisabled': {
        const pushKeyId = byId.get(id)?.pushKeyId ?? null;
        return { ...state, byId: byId.set(id, { id, userId, pushKeyId, push: null }), nextRevision };
      }
      case 'DeviceRemoved':
        return {
          ...state,
          byId: byId.delete(id),
          idsByUser: idsByUser.set(
            userId,
            ids.filter((one) => one !== id),
          ),
          nextRevision,
        };
      case 'DeviceTokenAdded':
        return {
          ...state,
          tokens: tokens.set(userId, [...(tokens.get(userId) ?? []), event.data]),
          nextRevision,
        };
      case 'DeviceTokenRemoved': {
        const left = (tokens.get(userId) ?? []).filter(({ deviceId }) => deviceId !== id);
        return { ...state, tokens: tokens.set(userId, left), nextRevision };
      }
    }
  },
};

/** The stream of the devices, for decisions about them. */
export const foldedDevices = stream(DEVICES_STREAM, devicesFold);

/** The device after a change of its key. */
function withKey(
  device: Device | undefined,
  { deviceId: id, userId, pushKeyId }: EventOf<typeof DevicePushKeyChanged>['data'],
): Device {
  const push = device?.push ?? null;
  return { id, userId, pushKeyId, push: push && { ...push, pushKeyId } };
}

/** The devices of a person, oldest first. */
export function devicesOf({ byId, idsByUser }: Devices, userId: number): readonly Device[] {
  return (idsByUser.get(userId) ?? []).flatMap((id) => byId.get(id) ?? []);
}

/** The devices of a person that notifications can be sent to. */
export function reachableDevicesOf(devices: Devices, userId: number): readonly ReachableDevice[] {
  return devicesOf(devices, userId).filter((device): device is ReachableDevice => device.push !== null);
}

/** The tokens of a person's devices, oldest first. */
export function tokensOf({ tokens }: Devices, userId: number): readonly DeviceToken[] {
  return tokens.get(userId) ?? [];
}

/**
 * @throws ApplicationError `noSuchDevice`, the same for a device that does not exist and one of somebody else
 */
export function ownDevice({ byId }: Devices, userId: number, deviceId: number): Device {
  const device = byId.get(deviceId);
  if (device?.userId !== userId) throw failure('noSuchDevice');
  return device;
}
