import { TextParameter, BooleanParameter } from '../../http/parameters/parameter-decorators.js';
import { MAX_CODE_LENGTH } from './second-factors.js';
import { MAX_TOKEN_LENGTH } from './web-tokens.js';

/** Parameters of POST /fetch_api_key. */
export class LogInParameters {
  @TextParameter({ example: 'ada@example.com', required: true, description: 'The account’s e-mail address.' })
  username!: string;

  @TextParameter({ example: 'mauve-loom-1843', required: true })
  password!: string;

  @TextParameter({
    maxLength: MAX_CODE_LENGTH,
    countsUtf16: true,
    description:
      'For accounts with a second factor: a code of the authenticator app, or a recovery code. If it is missing, the error is SECOND_FACTOR_REQUIRED.',
  })
  second_factor?: string;
}

/** Parameters of POST /jwt/fetch_api_key. */
export class LogInWithTokenParameters {
  // A missing token is refused like an invalid one, after the configuration was looked at.
  @TextParameter({
    maxLength: MAX_TOKEN_LENGTH,
    countsUtf16: true,
    description: 'Needed: a JSON Web Token whose claim `email` holds the person’s e-mail address.',
  })
  token?: string;

  @BooleanParameter({ description: 'Whether the reply contains the account as `user`. Default false.' })
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
    maxLength: MAX_CODE_LENGTH,
    countsUtf16: true,
    required: true,
    example: '123456',
    description:
      'A one-time password of the authenticator app. To remove the second factor, a recovery code is accepted as well.',
  })
  code!: string;
}
