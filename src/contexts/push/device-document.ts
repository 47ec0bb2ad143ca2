import type { PushRegistration } from './devices.js';

/** A device as the read model keeps it. */
export type DeviceDocument = {
  /** Its id. */
  readonly _id: number;
  readonly userId: number;
  readonly pushKeyId: number | null;
  readonly push: PushRegistration | null;
};
