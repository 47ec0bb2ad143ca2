import { devicesModel, type DeviceDocument } from '../src/contexts/push/read-model.js';
import type { Recorded } from '../src/kernel/event.js';
import { handlers } from '../src/kernel/event-handlers.js';
import {
  DevicePushDisabled,
  DevicePushEnabled,
  DevicePushKeyChanged,
  DeviceRegistered,
  DeviceRemoved,
} from '../src/events/devices.js';
import {
  on,
  type Change,
  type DocumentReference,
  type LoadedDocuments,
  type Projection,
} from './engine/projection.js';

const COLLECTION = 'devices';

/** People's devices, and which of them notifications can be sent to. */
export const devicesProjection: Projection = {
  ...devicesModel,
  on: handlers(
    on(DeviceRegistered, { apply: unreachable }),
    on(DevicePushEnabled, { apply: reachable }),
    on(DevicePushKeyChanged, {
      reads: (event) => [deviceOf(event)],
      apply: (event, documents) => changed(event, documents, withKey),
    }),
    on(DevicePushDisabled, {
      reads: (event) => [deviceOf(event)],
      apply: (event, documents) => changed(event, documents, (device) => ({ ...device, push: null })),
    }),
    on(DeviceRemoved, { apply: (event) => [{ collection: COLLECTION, remove: event.data.deviceId }] }),
  ),
};

function deviceOf({
  data,
}: Recorded<typeof DevicePushKeyChanged | typeof DevicePushDisabled>): DocumentReference {
  return { collection: COLLECTION, id: data.deviceId };
}

function changed<Event extends Recorded<typeof DevicePushKeyChanged | typeof DevicePushDisabled>>(
  event: Event,
  documents: LoadedDocuments,
  change: (device: DeviceDocument, data: Event['data']) => DeviceDocument,
): readonly Change[] {
  const device = documents.get<DeviceDocument>(COLLECTION, event.data.deviceId);
  return device === null ? [] : [{ collection: COLLECTION, put: change(device, event.data) }];
}

function withKey(
  device: DeviceDocument,
  { pushKeyId }: Recorded<typeof DevicePushKeyChanged>['data'],
): DeviceDocument {
  const { push } = device;
  return { ...device, pushKeyId, push: push && { ...push, pushKeyId } };
}

function unreachable({
  data: { deviceId: _id, userId },
}: Recorded<typeof DeviceRegistered>): readonly Change[] {
  const document: DeviceDocument = { _id, userId, pushKeyId: null, push: null };
  return [{ collection: COLLECTION, put: document }];
}

function reachable({ data, metadata }: Recorded<typeof DevicePushEnabled>): readonly Change[] {
  const { deviceId: _id, userId, tokenKind, tokenId, pushKeyId } = data;
  const push = { tokenKind, tokenId, pushKeyId, registeredAt: metadata.at };
  const document: DeviceDocument = { _id, userId, pushKeyId, push };
  return [{ collection: COLLECTION, put: document }];
}
