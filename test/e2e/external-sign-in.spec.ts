import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { PlainBrowser } from '../support/browser.js';
import { FakeOpenIdProvider } from '../support/open-id-provider.js';
import { ServerStores } from '../support/server-stores.js';
import { TestServer } from '../support/server.js';

let provider: FakeOpenIdProvider;
let stores: ServerStores;
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  provider = await FakeOpenIdProvider.start();
  stores = await ServerStores.open();
  server = await TestServer.start({ stores, environment: provider.environment });
  owner = await server.owner();
});

afterEach(() => provider.reset());

afterAll(async () => {
  await server.stop();
  await provider.stop();
  await stores.close();
});

const start = (query = ''): string => `${server.site}/accounts/login/openid${query}`;

function comesAs(name: string, email: string, claims: Record<string, unknown> = {}): void {
  provider.person = { sub: `id of ${name}`, name, email, email_verified: true, ...claims };
}

/** Signs in from the beginning to where the browser stops. */
async function signIn(query = '', browser = new PlainBrowser()): Promise<Arrived> {
  const { url, response } = await browser.open(start(query));
  return { browser, url, status: response.status, html: await response.text() };
}

interface Arrived {
  readonly browser: PlainBrowser;
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

/** Presses the button of the page that welcomes whoever has signed in, and answers a client with the file's key. */
async function download({ browser, html }: Arrived): Promise<ApiClient> {
  const action = /<form method="post" action="([^"]+)">/.exec(html)?.[1] ?? '';
  const reply = await browser.request(`${server.site}${action}`, { method: 'POST' });
  const [, email = '', key = ''] = /^email=(.+)\nkey=(\w{32})$/m.exec(await reply.text()) ?? [];
  return new ApiClient(server.site, { email, key });
}

async function people(): Promise<Record<string, unknown>[]> {
  return (await owner.must('get', 'users'))['members'] as Record<string, unknown>[];
}

async function expectRefusal(status: number, words: string): Promise<void> {
  const before = await people();
  const { status: answered, html, browser } = await signIn();
  expect([answered, html]).toEqual([status, expect.stringContaining(words)]);
  expect(browser.kept.has('palimpsest_ticket')).toBe(false);
  expect(await people()).toEqual(before);
}

describe('signing in by a provider', () => {
  it('is offered to clients, and on the front page', async () => {
    const reply = await new ApiClient(server.site, null).must('get', 'server_settings');
    expect(reply['external_authentication_methods']).toEqual([
      {
        name: 'oidc',
        display_name: 'Engine & Sons',
        display_icon: null,
        login_url: '/accounts/login/openid',
        signup_url: '/accounts/login/openid',
      },
    ]);
    expect(reply['authentication_methods']).toMatchObject({ 'openid connect': true, password: true });
    expect(await (await fetch(server.site)).text()).toContain(
      '<a href="/accounts/login/openid">Sign in with Engine &#38; Sons</a>',
    );
  });

  it('logs in an account with the address, of any domain, and records the identity once', async () => {
    const { id } = await server.createUser(owner, 'Bo');
    comesAs('Bo', 'BO@example.com');
    const client = await download(await signIn());
    expect(await client.must('get', 'users/me')).toMatchObject({ user_id: id, full_name: 'Bo' });
    await download(await signIn());
    const { events } = await owner.must('get', 'audit/log', { type: 'ExternalIdentityLinked' });
    expect(events).toHaveLength(1);
    expect(JSON.stringify(events)).toContain(`signed in with “${provider.issuer}/” for the first time`);
    expect(JSON.stringify(events)).not.toContain('id of Bo');
  });

  it('registers people of the domains that are configured, each in the role of theirs', async () => {
    comesAs('Cy *Bold*', 'cy@engines.example');
    const cy = await download(await signIn());
    comesAs('Dot', 'dot@partners.example');
    const dot = await download(await signIn());
    expect(await cy.must('get', 'users/me')).toMatchObject({ full_name: 'Cy Bold', role: 400 });
    expect(await dot.must('get', 'users/me')).toMatchObject({ full_name: 'Dot', role: 600 });
    comesAs('Cy *Bold*', 'cy@engines.example');
    await download(await signIn());
    expect((await people()).filter(({ full_name }) => full_name === 'Cy Bold')).toHaveLength(1);
  });

  it('goes by what the provider tells of people elsewhere when its tokens do not', async () => {
    comesAs('Ed', 'ed@engines.example');
    provider.isTerse = true;
    expect(await (await download(await signIn())).must('get', 'users/me')).toMatchObject({ full_name: 'Ed' });
  });

  it('issues no key to a link: only the page of this server fetches it, in the same browser, and once', async () => {
    comesAs('Flo', 'flo@engines.example');
    const arrived = await signIn();
    const post = (browser: PlainBrowser): Promise<Response> =>
      browser.request(`${server.site}/accounts/login/openid/key`, { method: 'POST' });
    expect((await post(new PlainBrowser())).status).toBe(401);
    const reply = await post(arrived.browser);
    expect(await reply.json()).toMatchObject({ result: 'success', email: 'flo@engines.example' });
    expect(arrived.browser.kept.size).toBe(0);
    expect((await post(arrived.browser)).status).toBe(401);
    const { api_keys } = await (await download(await signIn())).must('get', 'users/me/api_keys');
    expect(api_keys).toHaveLength(2);
  });

  it('leads back to the console', async () => {
    comesAs('Gus', 'gus@engines.example');
    expect((await signIn('?next=console')).url).toBe(`${server.site}/console/?signed_in`);
  });

  it('hands phone apps a key that only they can read', async () => {
    comesAs('Hal', 'hal@engines.example');
    const pad = '0123456789abcdef'.repeat(4);
    const { url } = await signIn(`?mobile_flow_otp=${pad}`);
    const { protocol, host, searchParams } = new URL(url);
    expect([protocol, host]).toEqual(['zulip:', 'login']);
    expect(searchParams.get('realm')).toBe(server.site);
    const encrypted = Buffer.from(searchParams.get('otp_encrypted_api_key') ?? '', 'hex');
    const key = Buffer.from(
      encrypted.map((byte, index) => byte ^ Buffer.from(pad, 'hex')[index]!),
    ).toString();
    const hal = new ApiClient(server.site, { email: searchParams.get('email') ?? '', key });
    expect(await hal.must('get', 'users/me')).toMatchObject({
      user_id: Number(searchParams.get('user_id')),
      full_name: 'Hal',
    });
    for (const bad of ['', 'abc', `${pad}00`, 'x'.repeat(64)])
      expect((await fetch(start(`?mobile_flow_otp=${bad}`), { redirect: 'manual' })).status).toBe(400);
  });
});

describe('signing in by a provider is refused', () => {
  it.each([
    ['for another nonce', { nonce: 'another' }],
    ['when the token has expired', { iat: 1_700_000_000, exp: 1_700_000_060 }],
    ['when the token is meant for somebody else', { aud: 'somebody else' }],
    ['when the token is of another provider', { iss: 'https://elsewhere.example' }],
  ])('%s', async (_when, faults) => {
    comesAs('Ivy', 'ivy@engines.example');
    provider.faults = faults;
    await expectRefusal(401, 'did not sign you in');
  });

  it('when the token is signed with a key that is not the provider’s', async () => {
    comesAs('Ivy', 'ivy@engines.example');
    provider.isForging = true;
    await expectRefusal(401, 'did not sign you in');
  });

  it.each([
    ['is not verified', { email_verified: false }],
    ['is verified by a word', { email_verified: 'true' }],
    ['is said nothing of', { email_verified: undefined }],
    ['is missing', { email: undefined }],
  ])('when the address %s', async (_how, claims) => {
    comesAs('Ivy', 'ivy@engines.example', claims);
    await expectRefusal(401, 'verified your e-mail address');
  });

  it('to whoever has no account and is of another domain, or one that only ends alike', async () => {
    for (const domain of ['example.com', 'sub.engines.example', 'otherengines.example']) {
      comesAs('Ivy', `ivy@${domain}`);
      await expectRefusal(401, 'Ask for an invitation');
    }
  });

  it('to a deactivated account, and to a bot', async () => {
    const { id } = await server.createUser(owner, 'Jo');
    const arrived = { person: () => comesAs('Jo', 'jo@example.com') };
    arrived.person();
    const before = await signIn();
    await owner.must('delete', `users/${id}`);
    await expectRefusal(401, 'deactivated');
    const late = await before.browser.request(start('/key'), { method: 'POST' });
    expect([late.status, await late.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'USER_DEACTIVATED' }),
    ]);
    const { client } = await server.createBot(owner, 'Loom');
    comesAs('Loom', client.credentials!.email);
    await expectRefusal(401, 'incorrect');
  });

  it('where another state comes back, or another browser', async () => {
    comesAs('Ivy', 'ivy@engines.example');
    const browser = new PlainBrowser();
    const begun = await browser.request(start());
    const back = await browser.request(begun.headers.get('location') ?? '');
    const answer = new URL(back.headers.get('location') ?? '');
    const elsewhere = await new PlainBrowser().request(answer.href);
    expect([elsewhere.status, await elsewhere.text()]).toEqual([
      401,
      expect.stringContaining('another browser'),
    ]);
    answer.searchParams.set('state', 'another');
    expect((await browser.request(answer.href)).status).toBe(401);
    expect((await people()).some(({ full_name }) => full_name === 'Ivy')).toBe(false);
  });

  it('with what is to be done where the provider says no', async () => {
    const browser = new PlainBrowser();
    const begun = new URL((await browser.request(start())).headers.get('location') ?? '');
    const query = new URLSearchParams({
      error: 'access_denied',
      state: begun.searchParams.get('state') ?? '',
    });
    const { status } = await browser.request(`${start('/callback')}?${query.toString()}`);
    expect(status).toBe(401);
  });

  it('while the organization is deactivated', async () => {
    comesAs('Ivy', 'ivy@engines.example');
    const own = await ServerStores.open();
    const closed = await TestServer.start({ stores: own, environment: provider.environment });
    await (await closed.owner()).must('post', 'realm/deactivate');
    const { response } = await new PlainBrowser().open(`${closed.site}/accounts/login/openid`);
    expect([response.status, await response.text()]).toEqual([401, expect.stringContaining('deactivated')]);
    await closed.stop();
    await own.close();
  });

  it('at once, in words, where the provider is gone', async () => {
    const gone = await FakeOpenIdProvider.start();
    const { environment } = gone;
    await gone.stop();
    const own = await ServerStores.open();
    const lonely = await TestServer.start({ stores: own, environment });
    const reply = await fetch(`${lonely.site}/accounts/login/openid`, { redirect: 'manual' });
    expect([reply.status, await reply.text()]).toEqual([
      503,
      expect.stringContaining('does not answer as it should'),
    ]);
    await lonely.stop();
    await own.close();
  });

  it('and nothing of it stands in the log of the process', async () => {
    comesAs('Kim', 'kim@engines.example');
    const { browser } = await signIn();
    const secrets = [
      ...browser.kept.values(),
      provider.clientSecret,
      'code-',
      'id of Kim',
      'kim@engines.example',
    ];
    const lines = server.log.join('\n');
    for (const secret of secrets) expect(lines).not.toContain(secret);
  });
});

describe('a server without a provider', () => {
  it('says that nobody signs people in beside it', async () => {
    const own = await ServerStores.open();
    const alone = await TestServer.start({ stores: own });
    expect((await fetch(`${alone.site}/accounts/login/openid`)).status).toBe(400);
    const settings = await new ApiClient(alone.site, null).must('get', 'server_settings');
    expect(settings['external_authentication_methods']).toEqual([]);
    await alone.stop();
    await own.close();
  });
});
