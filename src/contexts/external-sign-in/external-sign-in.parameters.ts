import { TextParameter } from '../../http/parameters/parameter-decorators.js';

/** The query parameters of the path at which people begin to sign in. */
export class BeginSignInParameters {
  @TextParameter({ description: 'Where to go on: console, or credentials, which is the default.' })
  next?: string;

  @TextParameter({
    description:
      'Of a phone app: 64 hexadecimal digits that its key is encrypted with on the way back to it.',
  })
  mobile_flow_otp?: string;
}
