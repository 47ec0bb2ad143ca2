import type { DeviceEvent } from '../../events/devices.js';
import type { InitialState } from '../../realtime/initial-state.js';
import { type Mappers, NO_CLIENT_EVENT, toSelf } from '../../realtime/mapper.js';
import { GetDevices, pushFields } from './queries/get-devices.js';

/** The person's devices. */
export const deviceState: InitialState = {
  device: async ({ caller, queries }) => ({ devices: await queries.execute(new GetDevices(caller)) }),
};

/** Client events about a person's devices, for their own clients. */
export const deviceMappers: Mappers<DeviceEvent> = {
  DeviceRegistered: {
    clientEvents: ({ data }) => toSelf(data, { type: 'device', op: 'add', device_id: data.deviceId }),
  },
  DevicePushEnabled: {
    clientEvents: ({ data, metadata }) =>
      toSelf(data, {
        type: 'device',
        op: 'update',
        device_id: data.deviceId,
        ...pushFields({ pushKeyId: data.pushKeyId, push: { ...data, registeredAt: metadata.at } }),
      }),
  },
  DevicePushKeyChanged: {
    clientEvents: ({ data }) =>
      toSelf(data, {
        type: 'device',
        op: 'update',
        device_id: data.deviceId,
        push_key_id: data.pushKeyId,
      }),
  },
  DevicePushDisabled: {
    clientEvents: ({ data }) =>
      toSelf(data, {
        type: 'device',
        op: 'update',
        device_id: data.deviceId,
        push_token_id: null,
        push_token_last_updated_timestamp: null,
      }),
  },
  DeviceTokenAdded: NO_CLIENT_EVENT,
  DeviceTokenRemoved: NO_CLIENT_EVENT,
  DeviceRemoved: {
    clientEvents: ({ data }) => toSelf(data, { type: 'device', op: 'remove', device_id: data.deviceId }),
  },
};
