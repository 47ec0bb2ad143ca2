import type { DeviceEvent } from '../../push/events.js';
import { pushFields } from '../../push/queries/get-devices.js';
import type { Translations } from '../translation.js';
import { toSelf } from './to-self.js';

/** A person's devices, for their own clients. */
export const deviceTranslations: Translations<DeviceEvent> = {
  DeviceRegistered: {
    notices: ({ data }) => toSelf(data, { type: 'device', op: 'add', device_id: data.deviceId }),
  },
  DevicePushEnabled: {
    notices: ({ data, metadata }) =>
      toSelf(data, {
        type: 'device',
        op: 'update',
        device_id: data.deviceId,
        ...pushFields({ ...data, registeredAt: metadata.at }),
      }),
  },
  DevicePushDisabled: {
    notices: ({ data }) =>
      toSelf(data, { type: 'device', op: 'update', device_id: data.deviceId, ...pushFields(null) }),
  },
  DeviceRemoved: {
    notices: ({ data }) => toSelf(data, { type: 'device', op: 'remove', device_id: data.deviceId }),
  },
};
