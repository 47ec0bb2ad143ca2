import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

/** An authorization request, until its code is exchanged. */
interface Granted {
  readonly nonce: string;
  readonly challenge: string;
  readonly redirectUri: string;
}

/** A local OpenID Connect provider. It signs in {@link person} without asking. */
export class FakeOpenIdProvider {
  readonly clientId = 'palimpsest';
  readonly clientSecret = 'a secret of the provider';
  /** Claims of the person who signs in. */
  person: JWTPayload = {};
  /** Wrong claims to put into tokens. */
  faults: JWTPayload = {};
  /** Signs with a key that it does not publish. */
  isForging = false;
  /** Accepts requests and never replies. */
  isSilent = false;
  /** Returns e-mail addresses and names only at the userinfo endpoint. */
  isTerse = false;
  /** All received requests: paths with queries, and bodies. */
  readonly requests: string[] = [];

  private readonly codes = new Map<string, Granted>();
  private lastCode = 0;

  private constructor(
    private readonly server: Server,
    private readonly keys: {
      readonly published: CryptoKey;
      readonly hidden: CryptoKey;
      readonly jwk: Record<string, unknown>;
    },
  ) {}

  static async start(): Promise<FakeOpenIdProvider> {
    const [published, hidden] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')];
    const jwk = { ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
    const server = createServer((request, response) => void provider.take(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const keys = { published: published.privateKey, hidden: hidden.privateKey, jwk };
    const provider = new FakeOpenIdProvider(server, keys);
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The server's configuration for this provider. */
  get environment(): Record<string, string> {
    const { issuer, clientId, clientSecret } = this;
    return {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: 'Engine & Sons',
      OIDC_REGISTER_DOMAINS: 'engines.example, partners.example=guest',
    };
  }

  /** Restores the normal behaviour. */
  reset(): void {
    this.faults = {};
    this.isForging = false;
    this.isSilent = false;
    this.isTerse = false;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const url = new URL(request.url ?? '/', this.issuer);
    this.requests.push(`${url.pathname}${url.search} ${body}`);
    if (this.isSilent) return;
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return answer(response, 200, this.metadata());
      case '/keys':
        return answer(response, 200, { keys: [this.keys.jwk] });
      case '/authorize':
        response.writeHead(302, { location: this.grant(url.searchParams) }).end();
        return;
      case '/token':
        return answer(response, ...(await this.exchange(request, new URLSearchParams(body))));
      case '/userinfo':
        return answer(response, 200, { sub: 'nobody', ...this.person });
      default:
        return answer(response, 404, {});
    }
  }

  private metadata(): Record<string, unknown> {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      userinfo_endpoint: `${issuer}/userinfo`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  /** The address to which the browser is sent back. */
  private grant(asked: URLSearchParams): string {
    const of = (name: string): string => asked.get(name) ?? '';
    if (of('client_id') !== this.clientId || of('code_challenge_method') !== 'S256') return '/refused';
    const code = `code-${++this.lastCode}`;
    const redirectUri = of('redirect_uri');
    this.codes.set(code, { nonce: of('nonce'), challenge: of('code_challenge'), redirectUri });
    return `${redirectUri}?${new URLSearchParams({ code, state: of('state') }).toString()}`;
  }

  private async exchange(
    { headers }: IncomingMessage,
    form: URLSearchParams,
  ): Promise<[number, Record<string, unknown>]> {
    const code = form.get('code') ?? '';
    const granted = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const credentials = [this.clientId, this.clientSecret].map((part) =>
      encodeURIComponent(part).replaceAll('%20', '+'),
    );
    const authorization = `Basic ${Buffer.from(credentials.join(':')).toString('base64')}`;
    if (headers.authorization !== authorization) return [401, { error: 'invalid_client' }];
    const isGood = granted?.challenge === challenge && granted.redirectUri === form.get('redirect_uri');
    if (!isGood) return [400, { error: 'invalid_grant' }];
    const token = await this.token(granted.nonce);
    return [200, { access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token: token }];
  }

  private token(nonce: string): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const times = { iss: this.issuer, aud: this.clientId, iat: now, exp: now + 60, nonce };
    const { sub = 'nobody' } = this.person;
    const claims = { ...times, ...(this.isTerse ? { sub } : { sub, ...this.person }), ...this.faults };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .sign(this.isForging ? this.keys.hidden : this.keys.published);
  }
}

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
