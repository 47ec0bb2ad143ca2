import { isSingleLine } from '../kernel/text.js';
import { ConfigurationError, list, webAddress } from './configuration-values.js';

/** The OpenID Connect provider that signs people in, and whom it may register. */
export interface OpenIdConfiguration {
  /** `OIDC_ISSUER`: the provider's issuer identifier. */
  readonly issuer: string;
  /** `OIDC_CLIENT_ID`: the id of this server at the provider. */
  readonly clientId: string;
  /** `OIDC_CLIENT_SECRET`; null: a public client, which only PKCE protects. */
  readonly clientSecret: string | null;
  /** `OIDC_NAME`: the provider's name, as people see it when they sign in. */
  readonly name: string;
  /**
   * `OIDC_REGISTER_DOMAINS`: people of these domains get an account when they first sign in; people of other
   * domains need an account to sign in.
   */
  readonly registering: readonly RegisteringDomain[];
}

/** A domain whose people are registered, and the role that they get. */
export interface RegisteringDomain {
  /** In lower case. Subdomains are not included. */
  readonly domain: string;
  readonly role: 'member' | 'guest';
}

type ReadVariable = (name: string) => string | null;

/** Reads the configuration of OpenID Connect; null: not configured. @throws ConfigurationError */
export function openIdFrom(read: ReadVariable): OpenIdConfiguration | null {
  const [issuer, clientId, clientSecret] = [
    issuerOf(read('OIDC_ISSUER')),
    read('OIDC_CLIENT_ID'),
    read('OIDC_CLIENT_SECRET'),
  ];
  const [name, domains] = [read('OIDC_NAME'), list(read('OIDC_REGISTER_DOMAINS'))];
  if (issuer !== null && clientId !== null) {
    const shown = name ?? new URL(issuer).hostname;
    if (!isSingleLine(shown)) throw new ConfigurationError('OIDC_NAME must be a name on one line.');
    return { issuer, clientId, clientSecret, name: shown, registering: domains.map(registeringDomain) };
  }
  const isAnySet = [issuer, clientId, clientSecret, name].some((value) => value !== null);
  if (!isAnySet && domains.length === 0) return null;
  throw new ConfigurationError(
    'OIDC_ISSUER and OIDC_CLIENT_ID must be set together; all other OIDC variables are optional, and need both.',
  );
}

/** The issuer as a normalized URL. A trailing slash is kept, because it may be part of the issuer. */
function issuerOf(value: string | null): string | null {
  if (value === null || webAddress('OIDC_ISSUER', value) === null) return null;
  const url = new URL(value);
  const isHere =
    url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d+){3}$/.test(url.hostname);
  if (url.protocol === 'https:' || isHere) return url.href;
  throw new ConfigurationError('OIDC_ISSUER must begin with https: unless it is on this machine.');
}

function registeringDomain(entry: string): RegisteringDomain {
  const [domain = '', role = 'member', ...rest] = entry.toLowerCase().split('=');
  const isDomain = /^(?:[a-z\d-]{1,63}\.)*[a-z\d-]{1,63}$/.test(domain) && domain.length <= 255;
  if (isDomain && (role === 'member' || role === 'guest') && rest.length === 0) return { domain, role };
  throw new ConfigurationError(
    `OIDC_REGISTER_DOMAINS must list domains, each with =guest behind it or nothing, but holds "${entry}".`,
  );
}
