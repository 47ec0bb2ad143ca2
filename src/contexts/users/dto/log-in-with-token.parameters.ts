import { BooleanParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /jwt/fetch_api_key (specification). */
export class LogInWithTokenParameters {
  @TextParameter({
    required: true,
    description: 'A JSON Web Token whose claim `email` holds the person’s e-mail address.',
  })
  token!: string;

  @BooleanParameter({ description: 'Give the person’s account as `user`. Default false.' })
  include_profile?: boolean;
}
