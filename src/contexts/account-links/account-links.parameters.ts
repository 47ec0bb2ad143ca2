import { TextParameter } from '../../http/parameters/parameter-decorators.js';
import { limits } from '../../events/values/organization-defaults.js';

/** Parameters of POST /accounts/confirm_new_email. */
export class ConfirmEmailParameters {
  @TextParameter({
    required: true,
    description: 'The token: the last part of the path of the link in the e-mail.',
  })
  token!: string;
}

/** Parameters of POST /accounts/password/reset. */
export class RequestPasswordResetParameters {
  @TextParameter({ required: true, description: 'The e-mail address of the account.' })
  email!: string;
}

/** Fields of the page's form: an empty password is refused like one that is too short. */
export class ResetPasswordFormParameters {
  @TextParameter()
  new_password?: string;
}

/** Parameters of POST /accounts/password/set. */
export class ResetPasswordParameters {
  @TextParameter({
    required: true,
    description: 'The token: the last part of the path of the link in the e-mail.',
  })
  token!: string;

  @TextParameter({
    maxLength: limits.passwordMaximum,
    required: true,
    description: 'The new password: 6 to 100 characters.',
  })
  new_password!: string;
}
