import type { Configuration as Client, IDToken } from 'openid-client';
import type { OpenIdConfiguration } from '../../configuration/open-id-configuration.js';
import { fetchBounded } from '../../http/bounded-response.js';
import type { Clock } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';
import type { Logger } from '../../../projections/engine/logger.js';
import type { ExternalIdentity } from './identity.decide.js';

/** Binds a response of the provider to the browser that requested it. */
interface Challenge {
  readonly state: string;
  readonly nonce: string;
  /** PKCE's (RFC 7636). */
  readonly codeVerifier: string;
}

/** Timeout for each request to the provider, in seconds: a person is waiting. */
const TIMEOUT_SECONDS = 5;

/** How long the provider's metadata is cached, in milliseconds. */
const METADATA_LIFE = 3_600_000;

/** Loaded with the first sign-in, because most servers have no provider. */
const openIdClient = () => import('openid-client');

/** What {@link OpenIdProvider} depends on. */
interface OpenIdProviderOptions {
  /** Null: there is no provider. */
  readonly configuration: OpenIdConfiguration | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Timeout for each request to the provider; default: {@link TIMEOUT_SECONDS}. */
  readonly timeoutSeconds?: number;
}

/**
 * The provider that signs people in by OpenID Connect: authorization code flow with PKCE. Its tokens are used
 * once, to identify the person, and not stored.
 */
export class OpenIdProvider {
  private discovered: { readonly client: Client; readonly until: number } | null = null;
  /** Shared by concurrent requests, so that the metadata is fetched once. */
  private discovering: Promise<Client> | null = null;

  constructor(private readonly options: OpenIdProviderOptions) {}

  /** @throws ApplicationError `externalSignInNotConfigured` */
  get configuration(): OpenIdConfiguration {
    if (this.options.configuration === null) throw failure('externalSignInNotConfigured');
    return this.options.configuration;
  }

  /**
   * The URL to redirect a browser to, and the challenge that its response must match.
   *
   * @param redirectUri where the provider sends the browser back to
   * @throws ApplicationError `externalSignInNotConfigured`, `externalProviderUnavailable`
   */
  async begin(redirectUri: string): Promise<{ readonly url: URL; readonly challenge: Challenge }> {
    const client = await this.client();
    const openId = await openIdClient();
    const challenge = {
      state: openId.randomState(),
      nonce: openId.randomNonce(),
      codeVerifier: openId.randomPKCECodeVerifier(),
    };
    const url = openId.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: challenge.state,
      nonce: challenge.nonce,
      code_challenge: await openId.calculatePKCECodeChallenge(challenge.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url, challenge };
  }

  /**
   * The identity of the person who came back. Signature, issuer, audience, times and nonce are checked.
   *
   * @param answer the URL at which the browser came back, with its query
   * @throws ApplicationError `externalSignInNotConfigured`, `externalProviderUnavailable`,
   * `externalSignInFailed`, `externalEmailUnverified`
   */
  async complete(answer: URL, { state, nonce, codeVerifier }: Challenge): Promise<ExternalIdentity> {
    const client = await this.client();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
    const claims = await this.asking(async () => {
      const openId = await openIdClient();
      const tokens = await openId.authorizationCodeGrant(client, answer, checks);
      const found = tokens.claims();
      if (found === undefined) throw failure('externalSignInFailed');
      // Some providers return addresses and names only here.
      if (found['email'] !== undefined || client.serverMetadata().userinfo_endpoint === undefined)
        return found;
      return { ...(await openId.fetchUserInfo(client, tokens.access_token, found.sub)), sub: found.sub };
    });
    return identityOf(claims);
  }

  private async client(): Promise<Client> {
    const now = this.options.clock.now();
    if (this.discovered !== null && this.discovered.until > now) return this.discovered.client;
    this.discovering ??= this.discover().finally(() => (this.discovering = null));
    const client = await this.discovering;
    this.discovered = { client, until: now + METADATA_LIFE };
    return client;
  }

  private discover(): Promise<Client> {
    const { issuer, clientId, clientSecret } = this.configuration;
    return this.asking(async () => {
      const {
        allowInsecureRequests,
        ClientSecretBasic,
        customFetch,
        discovery,
        enableNonRepudiationChecks,
        None,
      } = await openIdClient();
      const authentication = clientSecret === null ? None() : ClientSecretBasic(clientSecret);
      // The configuration allows this only for a provider on this machine.
      const insecure = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
      const timeout = this.options.timeoutSeconds ?? TIMEOUT_SECONDS;
      const execute = [enableNonRepudiationChecks, ...insecure];
      const options = { timeout, execute, [customFetch]: fetchBounded };
      return discovery(new URL(issuer), clientId, undefined, authentication, options);
    });
  }

  /** Only the kind of a failure is logged: the library's errors contain what the provider sent. */
  private async asking<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const fault = faultOf(error);
      this.options.logger.warn({ fault }, 'Signing in by the provider failed');
      throw isUnreachable(error) ? failure('externalProviderUnavailable') : failure('externalSignInFailed');
    }
  }
}

interface Fault {
  readonly name: string;
  readonly code: string | null;
}

function faultOf(error: unknown): Fault {
  const { name, code } = error as Partial<Record<keyof Fault, unknown>>;
  return {
    name: typeof name === 'string' ? name : typeof error,
    code: typeof code === 'string' ? code : null,
  };
}

/**
 * Whether the provider did not respond, timed out, or sent an invalid response: none of these is the person's
 * fault.
 */
function isUnreachable(error: unknown): boolean {
  const { name, code } = faultOf(error);
  if (name === 'TypeError' || name === 'TimeoutError' || name === 'AbortError') return true;
  return (
    code === 'OAUTH_TIMEOUT' ||
    code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
    code === 'OAUTH_RESPONSE_IS_NOT_JSON'
  );
}

type Claims = Pick<IDToken, 'sub'> & Readonly<Record<string, unknown>>;

/**
 * @throws ApplicationError `externalEmailUnverified` if there is no address, or it is not marked as verified
 */
export function identityOf(claims: Claims): ExternalIdentity {
  const { email, email_verified: isVerified, sub: subject } = claims;
  if (typeof email !== 'string' || email === '' || isVerified !== true)
    throw failure('externalEmailUnverified');
  const given = [claims['given_name'], claims['family_name']]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const names = [claims['name'], given, claims['preferred_username']].filter(
    (name): name is string => typeof name === 'string' && name !== '',
  );
  return { subject, email: email.trim(), names };
}
