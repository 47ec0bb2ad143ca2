import type { ModelDefinition } from '../../stores/read-store/port.js';
import type { PushRegistration } from './devices.state.js';

/** The devices of people, and which of them notifications can be sent to. */
export const devicesModel: ModelDefinition = {
  name: 'devices',
  version: 2,
  collections: [{ name: 'devices', indexes: [{ key: { userId: 1, _id: 1 } }] }],
};

/** A device in the read model. */
export type DeviceDocument = {
  /** Its id. */
  readonly _id: number;
  readonly userId: number;
  readonly pushKeyId: number | null;
  readonly push: PushRegistration | null;
};
