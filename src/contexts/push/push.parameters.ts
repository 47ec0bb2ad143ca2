import { Matches, IsIn, Max, MaxLength, Min } from 'class-validator';
import { tokenKinds } from '../../events/devices.js';
import { TextParameter, IntegerParameter } from '../../http/parameters/parameter-decorators.js';
import { failure } from '../../kernel/errors.js';
import type { PushKeyRequest } from './commands/devices.js';
import type { RelayRegistration } from './push-relay.js';

/** Parameters that name the token of a device. */
export class DeviceTokenParameters {
  @TextParameter({
    example: '0123456789abcdef',
    required: true,
    description: 'What the maker of the device gave the app; hexadecimal where that is Apple.',
  })
  token!: string;
}

/** Parameters of POST /users/me/apns_device_token. */
export class AddAppleTokenParameters extends DeviceTokenParameters {
  @TextParameter({
    example: 'org.example.App',
    required: true,
    description: 'The app that the token is of, such as `org.example.App`.',
  })
  @Matches(/^[.a-zA-Z0-9-]{1,255}$/)
  appid!: string;
}

/** Parameters of POST /mobile_push/test_notification. */
export class TestDeviceTokensParameters {
  @TextParameter({ description: 'The token to notify; absent: all of the caller’s.' })
  token?: string;
}

/** Parameters of POST /remove_client_device. */
export class RemoveDeviceParameters {
  @IntegerParameter({ required: true, description: 'What POST /register_client_device answered.' })
  device_id!: number;
}

/** Parameters of POST /mobile_push/register. */
export class EnablePushParameters {
  @IntegerParameter({ required: true, description: 'What POST /register_client_device answered.' })
  device_id!: number;

  @TextParameter({ values: tokenKinds, description: 'Whose service delivers to the device.' })
  @IsIn(tokenKinds)
  token_kind?: (typeof tokenKinds)[number];

  @TextParameter({ description: 'What the client calls its token: it says nothing of it.' })
  @Matches(/^[\w+/=-]{1,100}$/)
  token_id?: string;

  @IntegerParameter({ description: 'What the client calls the key.' })
  @Min(0)
  @Max(4_294_967_295)
  push_key_id?: number;

  @TextParameter({
    description: 'Base64 of the 32 bytes that notifications are encrypted with (libsodium’s secretbox).',
  })
  @MaxLength(100)
  push_key?: string;

  @TextParameter({ description: 'The key of the relay that the token is encrypted to.' })
  @MaxLength(1000)
  bouncer_public_key?: string;

  @TextParameter({ description: 'The token, encrypted so that the relay alone can read it.' })
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
  @IntegerParameter({ description: 'The device to notify; absent: all of the caller’s.' })
  device_id?: number;
}
