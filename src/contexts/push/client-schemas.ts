import { z } from 'zod';
import { id, secondsOrNever } from '../../http/replies/common-schemas.js';
import { named } from '../../http/replies/named-schema.js';
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

/** What is told of a person’s own devices; of an update, only what is other than it was. */
export const deviceEventSchemas = [
  clientEvent('device', 'add', { device_id: id }),
  clientEvent('device', 'update', { device_id: id, ...device.partial().shape }),
  clientEvent('device', 'remove', { device_id: id }),
];

/** What a client that registers is told of them: by device id. */
export const deviceStateFields = { devices: z.record(z.string(), device).optional() } as const;
