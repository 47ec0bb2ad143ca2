import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /join: what makes an account of an invitation. */
export class JoinParameters {
  @TextParameter({ required: true, description: 'What stands behind `/join/` in the link of the letter.' })
  token!: string;

  @TextParameter({ required: true, description: '2 to 100 characters.' })
  full_name!: string;

  @TextParameter({ required: true, description: '6 to 100 characters.' })
  password!: string;
}

/** Parameters of POST /join_requests: who wants to join by a reusable link. */
export class RequestSignUpParameters {
  @TextParameter({
    description: 'What stands behind `/join/` in the reusable link; none where joining is open.',
  })
  token?: string;

  @TextParameter({ required: true, description: 'Where the letter goes by which the account is made.' })
  email!: string;
}

/** What the form of a page sends; the token stands in the path. */
export class JoinFormParameters {
  @TextParameter()
  full_name?: string;

  @TextParameter()
  password?: string;

  @TextParameter()
  email?: string;
}
