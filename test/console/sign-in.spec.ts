import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { codeAt, enrol, type Enrolment } from '../support/authenticator.js';
import { eventually } from '../support/eventually.js';
import { FakeOpenIdProvider } from '../support/open-id-provider.js';
import { describeInBrowser } from './support/browser.js';
import type { ConsoleWindow } from './support/test-browser.js';
import { TestConsole } from './support/test-console.js';

const password = (name: string): string => `secret-of-${name}`;

/** The reply to a request with a key that was revoked. */
const refusedKey = {
  status: 401,
  json: { result: 'error', msg: 'Invalid API key', code: 'INVALID_API_KEY' },
} as const;

/** Time for the page to show what has arrived, in milliseconds. */
const SETTLED = 500;

describeInBrowser('Signing in to the console', () => {
  let provider: FakeOpenIdProvider;
  let testConsole: TestConsole;

  beforeAll(async () => {
    provider = await FakeOpenIdProvider.start();
    testConsole = await TestConsole.start({ environment: provider.environment });
  });

  afterEach(async () => {
    provider.reset();
    await testConsole.closeWindows();
  });

  afterAll(async () => {
    await testConsole.stop();
    await provider.stop();
  });

  /** An owner, who finds pages behind the form. */
  async function owner(name: string): Promise<{ readonly email: string; readonly enrolment: Enrolment }> {
    const { client, id } = await testConsole.server.createUser(testConsole.owner, name);
    await testConsole.owner.must('patch', `users/${id}`, { role: 100 });
    return { email: client.credentials!.email, enrolment: await enrol(client, password(name)) };
  }

  /** Sends the password, and waits for the field of the code, which has the focus. */
  async function sendPassword({ page }: ConsoleWindow, email: string, name: string): Promise<void> {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password(name));
    await page.keyboard.press('Enter');
    await page.locator('input[name=code]:focus').waitFor();
  }

  it('by the provider leads there and back to the page, and leaves the key in the tab alone', async () => {
    const { email } = await owner('Ada');
    provider.person = { sub: 'id of Ada', name: 'Ada', email, email_verified: true };
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await page.getByRole('link', { name: 'Sign in with Engine & Sons' }).focus();
    await page.keyboard.press('Enter');
    // Who signs in by the provider is not asked for the second factor here.
    await window.heading('Overview');
    expect(page.url()).not.toContain('signed_in');
    expect(provider.requests.some((request) => request.startsWith('/token'))).toBe(true);
    const kept = await page.evaluate<string[]>('[JSON.stringify({ ...localStorage }), document.cookie]');
    expect(kept).toEqual([expect.not.stringContaining('key'), '']);
    await page.reload();
    await window.heading('Overview');
    expect(window.faults).toEqual([]);
  });

  it('by the provider leads back to the page that a link named, and to none outside the console', async () => {
    const { email } = await owner('Jo');
    provider.person = { sub: 'id of Jo', name: 'Jo', email, email_verified: true };
    const linked = '/log?type=MessageSent';
    const window = await testConsole.open(linked, { credentials: null });
    await window.page.getByRole('link', { name: 'Sign in with Engine & Sons' }).click();
    await window.heading('Log');
    expect(window.page.url()).toBe(`${testConsole.server.site}/console${linked}`);
    expect(await window.page.evaluate('Object.keys(sessionStorage).join()')).toBe('palimpsest-session');
    expect(window.faults).toEqual([]);
    for (const elsewhere of ['//engine.example/console/log', '/console/../log', 'javascript:alert(1)//']) {
      const { page } = await testConsole.open('/', { credentials: null });
      await page.evaluate(`sessionStorage.setItem('palimpsest-left', ${JSON.stringify(elsewhere)})`);
      await page.goto(`${testConsole.server.site}/console/?signed_in`);
      await page.getByRole('alert').waitFor();
      expect(page.url()).toBe(`${testConsole.server.site}/console/`);
    }
  });

  it('by the provider says in words why somebody is not let in', async () => {
    provider.person = { sub: 'stranger', name: 'Kim', email: 'kim@nowhere.example', email_verified: true };
    const { page } = await testConsole.open('/', { credentials: null });
    await page.getByRole('link', { name: 'Sign in with Engine & Sons' }).click();
    await page
      .getByText(/invitation/)
      .first()
      .waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('by the provider says that the server cannot be reached when a proxy answers instead', async () => {
    const { page } = await testConsole.open('/', { credentials: null });
    await page.route('**/accounts/login/openid/key', (route) =>
      route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
    );
    await page.goto(`${testConsole.server.site}/console/?signed_in`);
    await expectAlert(page, 'The server answered with 502.');
  });

  it('by password asks for a code of the app, by keyboard alone', async () => {
    const { email, enrolment } = await owner('Bo');
    const window = await testConsole.open('/', { credentials: null });
    await sendPassword(window, email, 'Bo');
    expect(await window.page.getByRole('alert').count()).toBe(0);
    await window.page.keyboard.type(enrolment.next);
    await window.page.keyboard.press('Enter');
    await window.heading('Overview');
  });

  it('by password has a key issued, which signing out revokes; a key that was entered stays', async () => {
    const { client, id } = await testConsole.server.createUser(testConsole.owner, 'Fay');
    await testConsole.owner.must('patch', `users/${id}`, { role: 100 });
    const keys = async (): Promise<number> =>
      ((await client.must('get', 'users/me/api_keys'))['api_keys'] as readonly unknown[]).length;
    const before = await keys();
    for (const way of ['Password', 'API key'] as const) {
      const window = await testConsole.open('/', { credentials: null });
      const { page } = window;
      await page.getByText(way, { exact: true }).first().click();
      await page.getByLabel('E-mail address').fill(client.credentials!.email);
      const secret = way === 'Password' ? password('Fay') : client.credentials!.key;
      await page.getByRole('textbox', { name: way }).fill(secret);
      await page.keyboard.press('Enter');
      await window.heading('Overview');
      expect(await keys()).toBe(way === 'Password' ? before + 1 : before);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      await eventually(keys, (count) => count === before);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(window.faults).toEqual([]);
    }
  });

  it('signs out also when the server does not revoke the key, and says so', async () => {
    const { client } = await testConsole.server.createUser(testConsole.owner, 'Gus');
    const { page } = await testConsole.open('/', { credentials: null });
    await page.getByLabel('E-mail address').fill(client.credentials!.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password('Gus'));
    await page.keyboard.press('Enter');
    await page.route('**/users/me/api_keys', (route) => route.abort());
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expectAlert(page, 'could not be told to revoke the key');
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });

  it('signs out without a warning when the key is not valid any more', async () => {
    const { client } = await testConsole.server.createUser(testConsole.owner, 'Hal');
    const { page } = await testConsole.open('/', { credentials: null });
    await page.getByLabel('E-mail address').fill(client.credentials!.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password('Hal'));
    await page.keyboard.press('Enter');
    await page.route('**/users/me/api_keys', (route) => route.fulfill(refusedKey));
    await page.getByRole('button', { name: /^Account of/ }).click();
    const refused = page.waitForResponse('**/users/me/api_keys');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await (await refused).finished();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForTimeout(SETTLED);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('goes on when a request of the session before is refused', async () => {
    const { client, id } = await testConsole.server.createUser(testConsole.owner, 'Ivy');
    await testConsole.owner.must('patch', `users/${id}`, { role: 100 });
    const window = await testConsole.open('/cases');
    const { page } = window;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/api/v1/audit/cases', async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await released;
      return route.fulfill(refusedKey);
    });
    await page.getByLabel('Name').fill('Never created');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('API key', { exact: true }).first().click();
    await page.getByLabel('E-mail address').fill(client.credentials!.email);
    await page.getByRole('textbox', { name: 'API key' }).fill(client.credentials!.key);
    await page.keyboard.press('Enter');
    await window.heading('Cases');
    const refused = page.waitForResponse((response) => response.status() === 401);
    release();
    await (await refused).finished();
    await page.waitForTimeout(SETTLED);
    expect(await page.getByRole('button', { name: 'Account of Ivy' }).count()).toBe(1);
    expect(await page.evaluate('sessionStorage.length')).toBe(1);
  });

  it('takes a recovery code once', async () => {
    const { email, enrolment } = await owner('Cy');
    const first = await testConsole.open('/', { credentials: null });
    await sendPassword(first, email, 'Cy');
    await first.page.keyboard.type(enrolment.recovery[0]!);
    await first.page.keyboard.press('Enter');
    await first.heading('Overview');
    const second = await testConsole.open('/', { credentials: null });
    await sendPassword(second, email, 'Cy');
    await second.page.keyboard.type(enrolment.recovery[0]!);
    await second.page.keyboard.press('Enter');
    await expectAlert(second.page, 'was used already');
    await second.page.getByLabel('Code').fill(enrolment.recovery[1]!);
    await second.page.keyboard.press('Enter');
    await second.heading('Overview');
  });

  it('says that a code is wrong, and keeps its field', async () => {
    const { email, enrolment } = await owner('Dot');
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await sendPassword(window, email, 'Dot');
    await page.keyboard.type(codeAt(enrolment.secret, 0));
    await page.keyboard.press('Enter');
    await expectAlert(page, 'This code is wrong');
    await page.getByLabel('Code').fill(enrolment.next);
    await page.keyboard.press('Enter');
    await window.heading('Overview');
  });

  it.each([
    ['phone', 'light'],
    ['phone', 'dark'],
    ['desk', 'light'],
    ['desk', 'dark'],
  ] as const)('can be done by everybody on a %s, %s', async (width, scheme) => {
    const name = `Eve of the ${scheme} ${width}`;
    const { email } = await owner(name);
    const window = await testConsole.open('/', { credentials: null, width, scheme });
    await window.page.getByRole('link', { name: 'Sign in with Engine & Sons' }).waitFor();
    await sendPassword(window, email, name);
    expect(await window.barriers()).toEqual([]);
    expect(await window.scrollsSideways()).toBe(false);
  });
});

async function expectAlert(page: Page, words: string): Promise<void> {
  await page.getByRole('alert').getByText(words, { exact: false }).waitFor();
}
