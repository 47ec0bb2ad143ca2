import type { OpenIdConfiguration } from '../../configuration/open-id-configuration.js';

/** Where people begin to sign in by a provider outside. */
export const EXTERNAL_SIGN_IN_PATH = 'accounts/login/openid';

/** A way to sign in outside of this server, as clients are told of it (`external_authentication_methods` of `GET server_settings`). */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: null;
  /** Paths below the server's address; clients add a query of their own. */
  readonly login_url: string;
  readonly signup_url: string;
}

/** The ways to sign in outside of this server: one where a provider is configured. */
export class ExternalMethods {
  readonly all: readonly ExternalMethod[];

  constructor(openId: Pick<OpenIdConfiguration, 'name'> | null) {
    const url = `/${EXTERNAL_SIGN_IN_PATH}`;
    this.all =
      openId === null
        ? []
        : [{ name: 'oidc', display_name: openId.name, display_icon: null, login_url: url, signup_url: url }];
  }
}
