import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /fetch_api_key (facts, section 5). */
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
