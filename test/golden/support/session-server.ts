import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { FakeRelay } from '../../support/push-relay.js';
import { ServerStores } from '../../support/server-stores.js';
import { TestServer } from '../../support/server.js';
import type { Parameters } from './steps.js';

const clock = pathToFileURL(resolve('dist/test/golden/support/frozen-clock.js')).href;
const tokenKey = 'a key that both sides know, and nobody else';

/** The server of the recorded session: with embedded stores, and a clock that only requests advance. */
export class SessionServer {
  private constructor(
    readonly server: TestServer,
    private readonly relay: FakeRelay,
  ) {}

  static async start(): Promise<SessionServer> {
    const relay = await FakeRelay.start();
    const server = await TestServer.start({
      stores: ServerStores.embedded(),
      environment: {
        NODE_OPTIONS: `--import=${clock}`,
        ORGANIZATION_NAME: 'Looms',
        OWNER_EMAIL: 'jo@example.com',
        OWNER_NAME: 'Jo Owner',
        JWT_AUTH_KEY: tokenKey,
        PUSH_RELAY_URL: relay.url,
        INBOUND_SMTP_PORT: '0',
        INBOUND_MAIL_DOMAIN: 'mail.example.com',
        // No seals: they would be appended at varying times.
        SEAL_EVERY_EVENTS: '1000000',
        SEAL_EVERY_SECONDS: '1000000',
      },
    });
    return new SessionServer(server, relay);
  }

  /** Values that are kept before the first step, by name. */
  kept(): Parameters {
    const file = readFileSync(join(this.server.directory, 'owner.zuliprc'), 'utf8');
    return {
      ownerEmail: /^email=(.+)$/m.exec(file)?.[1],
      ownerKey: /^key=(.+)$/m.exec(file)?.[1],
      adaToken: signedToken({ email: 'ada@example.com' }),
    };
  }

  /** Texts that differ in each run, with their placeholders. */
  texts(): readonly (readonly [string, string])[] {
    return [
      [this.server.site, 'http://server'],
      [this.relay.url, 'http://relay'],
    ];
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await this.relay.stop();
  }
}

/** A JSON Web Token, signed with HS256. */
function signedToken(claims: object): string {
  const content = [{ alg: 'HS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${createHmac('sha256', tokenKey).update(content).digest('base64url')}`;
}
