import { Matches } from 'class-validator';
import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters that name the token of a device. */
export class DeviceTokenParameters {
  @TextParameter({
    required: true,
    description: 'What the maker of the device gave the app; hexadecimal where that is Apple.',
  })
  token!: string;
}

/** Parameters of POST /users/me/apns_device_token. */
export class AddAppleTokenParameters extends DeviceTokenParameters {
  @TextParameter({ required: true, description: 'The app that the token is of, such as `org.example.App`.' })
  @Matches(/^[.a-zA-Z0-9-]{1,255}$/)
  appid!: string;
}

/** Parameters of POST /mobile_push/test_notification. */
export class TestDeviceTokensParameters {
  @TextParameter({ description: 'The token to notify; absent: all of the caller’s.' })
  token?: string;
}
