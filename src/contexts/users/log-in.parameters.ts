import { TextParameter, BooleanParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of POST /fetch_api_key. */
export class LogInParameters {
  @TextParameter({ example: 'ada@example.com', required: true, description: 'The account’s e-mail address.' })
  username!: string;

  @TextParameter({ example: 'mauve-loom-1843', required: true })
  password!: string;

  @TextParameter({
    description:
      'Of an account with a second factor: a code of the authenticator app, or a recovery code. Without it, such an account is answered SECOND_FACTOR_REQUIRED.',
  })
  second_factor?: string;
}

/** Parameters of POST /jwt/fetch_api_key. */
export class LogInWithTokenParameters {
  @TextParameter({
    required: true,
    description: 'A JSON Web Token whose claim `email` holds the person’s e-mail address.',
  })
  token!: string;

  @BooleanParameter({ description: 'Give the person’s account as `user`. Default false.' })
  include_profile?: boolean;
}

/** Parameters of POST /users/me/second_factor. */
export class BeginSecondFactorParameters {
  @TextParameter({ required: true, description: 'The caller’s password.' })
  password!: string;
}

/** Parameters of requests with a code of the second factor. */
export class SecondFactorCodeParameters {
  @TextParameter({
    required: true,
    example: '123456',
    description:
      'A one-time password of the authenticator app; to take the second factor away, a recovery code does as well.',
  })
  code!: string;
}
