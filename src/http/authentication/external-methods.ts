import type { OpenIdConfiguration } from '../../configuration/open-id-configuration.js';

/** Path at which people begin to sign in with an external provider. */
export const EXTERNAL_SIGN_IN_PATH = 'accounts/login/openid';

/**
 * An external sign-in method as clients get it (`external_authentication_methods` of `GET /server_settings`).
 */
export interface ExternalMethod {
  readonly name: string;
  readonly display_name: string;
  readonly display_icon: null;
  /** Paths below the server's address, to which clients add query parameters. */
  readonly login_url: string;
  readonly signup_url: string;
}

/** The external sign-in methods: one if a provider is configured, else none. */
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
