import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /users/me/second_factor. */
export class BeginSecondFactorParameters {
  @TextParameter({ required: true, description: 'The caller’s password.' })
  password!: string;
}

/** Parameters of what is done by a code. */
export class SecondFactorCodeParameters {
  @TextParameter({
    required: true,
    example: '123456',
    description:
      'A one-time password of the authenticator app; to take the second factor away, a recovery code does as well.',
  })
  code!: string;
}
