import { Matches, IsIn, Max, MaxLength, Min } from 'class-validator';
import { tokenKinds } from '../../events/devices.js';
import { TextParameter, IntegerParameter } from '../../http/parameters/parameter-decorators.js';
import { failure } from '../../kernel/errors.js';
import type { PushKeyRequest } from './commands/devices.js';
import type { RelayRegistration } from './push-relay.js';
import { budgets } from '../../kernel/budgets.js';

/** Parameters that name the token of a device. */
export class DeviceTokenParameters {
  @TextParameter({
    maxLength: budgets.deviceTokenLength.max,
    countsUtf16: true,
    example: '0123456789abcdef',
    required: true,
    description:
      'The token that the push service of the maker (Apple or Google) issued to the app; hexadecimal for Apple.',
  })
  token!: string;
}

/** Parameters of POST /users/me/apns_device_token. */
export class AddAppleTokenParameters extends DeviceTokenParameters {
  @TextParameter({
    example: 'org.example.App',
    required: true,
    description: 'The id of the app that the token belongs to, such as `org.example.App`.',
  })
  @Matches(/^[.a-zA-Z0-9-]{1,255}$/)
  appid!: string;
}

/** Parameters of POST /mobile_push/test_notification. */
export class TestDeviceTokensParameters {
  @TextParameter({ description: 'The token of the device to notify. Absent: all devices of the caller.' })
  token?: string;
}

/** Parameters of POST /remove_client_device. */
export class RemoveDeviceParameters {
  @IntegerParameter({
    required: true,
    description: 'The id of the device, from the reply of POST /register_client_device.',
  })
  device_id!: number;
}

/** Parameters of POST /mobile_push/register. */
export class EnablePushParameters {
  @IntegerParameter({
    required: true,
    description: 'The id of the device, from the reply of POST /register_client_device.',
  })
  device_id!: number;

  @TextParameter({ values: tokenKinds, description: 'The push service that delivers to the device.' })
  @IsIn(tokenKinds)
  token_kind?: (typeof tokenKinds)[number];

  @TextParameter({
    description: 'An id that the client chose for its token. It reveals nothing of the token.',
  })
  @Matches(/^[\w+/=-]{1,100}$/)
  token_id?: string;

  @IntegerParameter({ description: 'An id that the client chose for the key.' })
  @Min(0)
  @Max(4_294_967_295)
  push_key_id?: number;

  @TextParameter({
    description: 'Base64 of the 32 bytes that notifications are encrypted with (libsodium’s secretbox).',
  })
  @MaxLength(100)
  push_key?: string;

  @TextParameter({ description: 'The public key of the push relay that the token is encrypted with.' })
  @MaxLength(1000)
  bouncer_public_key?: string;

  @TextParameter({ description: 'The token, encrypted so that only the push relay can read it.' })
  @MaxLength(10_000)
  encrypted_push_registration?: string;
}

/**
 * The key of the request; null: none.
 *
 * @throws ApplicationError `missingParameter` when a part of it is missing
 */
export function keyIn({ push_key, push_key_id }: EnablePushParameters): PushKeyRequest | null {
  const parts = whole({ push_key, push_key_id });
  return parts && { pushKey: parts.push_key, pushKeyId: parts.push_key_id };
}

/**
 * The token of the request; null: none.
 *
 * @throws ApplicationError `missingParameter` when a part of it is missing
 */
export function tokenIn(sent: EnablePushParameters): Omit<RelayRegistration, 'deviceId'> | null {
  const { token_kind, token_id, bouncer_public_key, encrypted_push_registration } = sent;
  const parts = whole({ token_kind, token_id, bouncer_public_key, encrypted_push_registration });
  return (
    parts && {
      tokenKind: parts.token_kind,
      tokenId: parts.token_id,
      bouncerPublicKey: parts.bouncer_public_key,
      encryptedRegistration: parts.encrypted_push_registration,
    }
  );
}

type Whole<Parts> = { readonly [Name in keyof Parts]: NonNullable<Parts[Name]> };

/** Requires either all of these parts or none. */
function whole<Parts extends Readonly<Record<string, unknown>>>(parts: Parts): Whole<Parts> | null {
  const missing = Object.keys(parts).filter((name) => parts[name] === undefined);
  const [first] = missing;
  if (first === undefined) return parts as Whole<Parts>;
  if (missing.length === Object.keys(parts).length) return null;
  throw failure('missingParameter', { var_name: first });
}

/** Parameters of POST /mobile_push/e2ee/test_notification. */
export class TestNotificationParameters {
  @IntegerParameter({ description: 'The id of the device to notify. Absent: all devices of the caller.' })
  device_id?: number;
}
