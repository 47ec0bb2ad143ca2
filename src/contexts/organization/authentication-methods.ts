/** The log-in methods, under the names that clients know: by e-mail address and password. */
export const authenticationMethods = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  'openid connect': false,
} as const;
