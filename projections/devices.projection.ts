import type { EventOf, RecordedEvent } from '../src/kernel/event.js';
import type {
  DevicePushDisabled,
  DevicePushEnabled,
  DeviceRegistered,
  DeviceRemoved,
} from '../src/push/events.js';
import type { DeviceDocument } from '../src/push/device-document.js';
import type { Change, Projection } from './engine/projection.js';

type Registered = RecordedEvent<EventOf<typeof DeviceRegistered>>;
type Enabled = RecordedEvent<EventOf<typeof DevicePushEnabled>>;
type Disabled = RecordedEvent<EventOf<typeof DevicePushDisabled>>;
type Removed = RecordedEvent<EventOf<typeof DeviceRemoved>>;

const collection = 'devices';

/** The devices of people, and which notifications can be sent to. */
export const devicesProjection: Projection = {
  name: 'devices',
  version: 1,
  collections: [{ name: collection, indexes: [{ key: { userId: 1, _id: 1 } }] }],
  on: {
    DeviceRegistered: { apply: (event) => unreachable(event as Registered) },
    DevicePushEnabled: { apply: (event) => reachable(event as Enabled) },
    DevicePushDisabled: { apply: (event) => unreachable(event as Disabled) },
    DeviceRemoved: { apply: (event) => [{ collection, remove: (event as Removed).data.deviceId }] },
  },
};

function unreachable({ data: { deviceId: _id, userId } }: Registered | Disabled): readonly Change[] {
  const document: DeviceDocument = { _id, userId, push: null };
  return [{ collection, put: document }];
}

function reachable({ data, metadata }: Enabled): readonly Change[] {
  const { deviceId: _id, userId, tokenKind, tokenId, pushKeyId } = data;
  const push = { tokenKind, tokenId, pushKeyId, registeredAt: metadata.at };
  const document: DeviceDocument = { _id, userId, push };
  return [{ collection, put: document }];
}
