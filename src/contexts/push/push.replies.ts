import { z } from 'zod';
import { id, named, secondsOrNever } from '../../http/replies/common-schemas.js';
import { clientEvent } from '../../realtime/client-event-schema.js';

const push = {
  push_key_id: z.int().nullable(),
  push_token_id: z.string().nullable(),
  pending_push_token_id: z.null(),
  push_token_last_updated_timestamp: secondsOrNever,
  push_registration_error_code: z.null(),
} as const;

const device = named('Device', z.strictObject(push));

/** Answered by `POST register_client_device`. */
export const registeredDeviceReply = { device_id: id };

/** Schemas of the client events about a person’s own devices; an update contains only what changed. */
export const deviceEventSchemas = [
  clientEvent('device', 'add', { device_id: id }),
  clientEvent('device', 'update', { device_id: id, ...device.partial().shape }),
  clientEvent('device', 'remove', { device_id: id }),
];

/** Schemas of the initial state about devices, by device id. */
export const deviceStateFields = { devices: z.record(z.string(), device).optional() } as const;
