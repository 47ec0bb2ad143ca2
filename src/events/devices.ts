import { z } from 'zod';
import { defineEvent, type EventOf } from '../kernel/event.js';

const id = z.number().int().positive();
const device = { deviceId: id, userId: id } as const;

/** The delivery services of device makers. */
export const tokenKinds = ['apns', 'fcm'] as const;

/** Stream `devices`. The id is the revision of this event plus one. */
export const DeviceRegistered = defineEvent({
  type: 'DeviceRegistered',
  description: 'A client program on a device registered the device.',
  schema: z.strictObject(device),
  example: { deviceId: 1, userId: 3 },
});

/** Stream `devices`. The device's key is in the credential store; only the relay knows its token. */
export const DevicePushEnabled = defineEvent({
  type: 'DevicePushEnabled',
  description: 'The push relay registered a device: notifications can be sent to it.',
  schema: z.strictObject({
    ...device,
    tokenKind: z.enum(tokenKinds),
    /** The client's id of its token, which reveals nothing about it. */
    tokenId: z.string(),
    /** The client's id of the key that encrypts its notifications. */
    pushKeyId: z.number().int().nonnegative(),
  }),
  example: { deviceId: 1, userId: 3, tokenKind: 'fcm', tokenId: 'a3Rva2Vu', pushKeyId: 7 },
});

/** Stream `devices`. The key itself is in the credential store. */
export const DevicePushKeyChanged = defineEvent({
  type: 'DevicePushKeyChanged',
  description: 'The key that encrypts the notifications for a device was replaced.',
  schema: z.strictObject({ ...device, pushKeyId: z.number().int().nonnegative() }),
  example: { deviceId: 1, userId: 3, pushKeyId: 8 },
});

/** Stream `devices`. */
export const DevicePushDisabled = defineEvent({
  type: 'DevicePushDisabled',
  description:
    'No more notifications are sent to a device: the push relay does not know it, or the API keys of its owner were renewed.',
  schema: z.strictObject(device),
  example: { deviceId: 1, userId: 3 },
});

/** Stream `devices`. */
export const DeviceRemoved = defineEvent({
  type: 'DeviceRemoved',
  description: 'A device was removed from its account, and its key was destroyed.',
  schema: z.strictObject(device),
  example: { deviceId: 1, userId: 3 },
});

/**
 * Stream `devices`; the id is from the same sequence as those of devices. The token itself is in the
 * credential store.
 */
export const DeviceTokenAdded = defineEvent({
  type: 'DeviceTokenAdded',
  description:
    'An older client registered the push token of its device, for notifications that are not encrypted.',
  schema: z.strictObject({
    ...device,
    tokenKind: z.enum(tokenKinds),
    /** Base64 of the first eight bytes of the token's SHA-256. */
    tokenId: z.string(),
    /** The app that the token belongs to; null: the device's maker has no such id. */
    appId: z.string().nullable(),
  }),
  example: { deviceId: 2, userId: 3, tokenKind: 'apns', tokenId: 'a3Rva2Vu', appId: 'org.example.Looms' },
});

/** Stream `devices`. */
export const DeviceTokenRemoved = defineEvent({
  type: 'DeviceTokenRemoved',
  description: 'The push token of a device was removed.',
  schema: z.strictObject(device),
  example: { deviceId: 2, userId: 3 },
});

export const deviceEvents = [
  DeviceRegistered,
  DevicePushEnabled,
  DevicePushKeyChanged,
  DevicePushDisabled,
  DeviceRemoved,
  DeviceTokenAdded,
  DeviceTokenRemoved,
] as const;
export type DeviceEvent = EventOf<(typeof deviceEvents)[number]>;
