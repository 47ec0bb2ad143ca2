import { IsIn, Matches, MaxLength, Min } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { tokenKinds } from '../events.js';

/** Parameters of POST /remove_client_device. */
export class RemoveDeviceParameters {
  @IntegerParameter({ required: true, description: 'What POST /register_client_device answered.' })
  device_id!: number;
}

/** Parameters of POST /mobile_push/register. */
export class EnablePushParameters {
  @IntegerParameter({ required: true, description: 'What POST /register_client_device answered.' })
  device_id!: number;

  @TextParameter({ required: true, values: tokenKinds, description: 'Whose service delivers to the device.' })
  @IsIn(tokenKinds)
  token_kind!: (typeof tokenKinds)[number];

  @TextParameter({ required: true, description: 'What the client calls its token: it says nothing of it.' })
  @Matches(/^[\w+/=-]{1,100}$/)
  token_id!: string;

  @IntegerParameter({ required: true, description: 'What the client calls the key.' })
  @Min(0)
  push_key_id!: number;

  @TextParameter({
    required: true,
    description: 'Base64 of the 32 bytes that notifications are encrypted with (libsodium’s secretbox).',
  })
  push_key!: string;

  @TextParameter({ required: true, description: 'The key of the relay that the token is encrypted to.' })
  @MaxLength(1000)
  bouncer_public_key!: string;

  @TextParameter({ required: true, description: 'The token, encrypted so that the relay alone can read it.' })
  @MaxLength(10_000)
  encrypted_push_registration!: string;
}

/** Parameters of POST /mobile_push/e2ee/test_notification (specification). */
export class TestNotificationParameters {
  @IntegerParameter({ description: 'The device to notify; absent: all of the caller’s.' })
  device_id?: number;
}
