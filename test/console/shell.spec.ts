import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

/** A name that would act if it were taken for markup. */
const hostile = '<img src=x onerror=alert(1) title=Ada';
const member = { email: 'ada@example.com', password: 'mauve-loom-1843' };

describeInBrowser('The console', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    await owner.must('post', 'users', { ...member, full_name: hostile });
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('lets somebody in with a key, keeps it in the tab alone, and signs out', async () => {
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await page.getByText('API key', { exact: true }).click();
    await page.getByLabel('E-mail address').fill(owner.credentials!.email);
    await page.getByRole('textbox', { name: 'API key' }).fill(owner.credentials!.key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await window.heading('Overview');
    const kept = await page.evaluate<string[]>('[JSON.stringify({ ...localStorage }), document.cookie]');
    expect(kept.join()).not.toContain(owner.credentials!.key);
    await page.reload();
    await window.heading('Overview');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    expect(window.faults).toEqual([]);
  });

  it('lets somebody in with a password, by keyboard alone, and tells a member that nothing is for them', async () => {
    const window = await testConsole.open('/', { credentials: null });
    const { page } = window;
    await page.getByLabel('E-mail address').focus();
    await page.keyboard.type(member.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not-the-password');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toMatch(/password/i);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(member.password);
    await page.keyboard.press('Enter');
    await window.heading('Not for this account');
    expect(await page.getByRole('main').textContent()).toContain(hostile);
    expect(await page.locator('img').count()).toBe(0);
  });

  it('says that a key is wrong, and when one stops being good', async () => {
    const window = await testConsole.open('/overview', { credentials: null });
    const { page } = window;
    await page.getByText('API key', { exact: true }).click();
    await page.getByLabel('E-mail address').fill(owner.credentials!.email);
    await page.getByRole('textbox', { name: 'API key' }).fill('not-a-key');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('does not belong to this address');
    const stale = await testConsole.open('/overview', {
      credentials: { ...owner.credentials!, key: 'x'.repeat(32) },
    });
    expect(await stale.page.getByRole('alert').textContent()).toContain('no longer good');
  });

  it('asks again when the connection breaks in the middle of a reply', async () => {
    const window = await testConsole.open('/proofs');
    const { page } = window;
    await page.addInitScript(`{
      const complete = globalThis.fetch;
      let isBroken = false;
      globalThis.fetch = async (address, options) => {
        const response = await complete(address, options);
        if (isBroken || !/\\/audit\\/people\\?limit=50$/.test(address)) return response;
        isBroken = true;
        return new Response(new ReadableStream({ pull: (body) => body.error(new TypeError('network error')) }));
      };
    }`);
    await window.goTo('/people');
    await page.getByRole('table', { name: 'People' }).getByText(hostile).waitFor();
    expect(window.faults).toEqual([]);
  });

  it.each([
    ['phone', 'light'],
    ['phone', 'dark'],
    ['desk', 'light'],
    ['desk', 'dark'],
  ] as const)('can be used by everybody on a %s, %s', async (width, scheme) => {
    for (const credentials of [null, owner.credentials!]) {
      const window = await testConsole.open('/', { credentials, width, scheme });
      if (credentials === null) await window.page.getByRole('button', { name: 'Sign in' }).waitFor();
      else await window.heading('Overview');
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
      expect(window.faults).toEqual([]);
    }
  });

  it('is reached from the front page and from /ops, and its parts are kept by browsers', async () => {
    const former = await fetch(`${testConsole.server.site}/ops`, { redirect: 'manual' });
    expect([former.status, former.headers.get('location')]).toEqual([302, '/console/']);
    const document = await fetch(`${testConsole.server.site}/console/no/such/page`);
    expect(document.headers.get('content-security-policy')).toContain("script-src 'self'; style-src 'self'");
    expect(document.headers.get('content-security-policy')).not.toContain('unsafe');
    expect(document.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const paths = [...(await document.text()).matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)];
    expect(paths.length).toBeGreaterThan(1);
    for (const [, path] of paths) {
      const asset = await fetch(`${testConsole.server.site}${path}`, {
        headers: { 'accept-encoding': 'br' },
      });
      expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(asset.headers.get('content-encoding')).toBe('br');
    }
    expect((await fetch(`${testConsole.server.site}/console/assets/former.js`)).status).toBe(404);
    expect(
      (await fetch(`${testConsole.server.site}/console/..%2f..%2fpackage.json`)).headers.get('content-type'),
    ).toMatch(/html|json/);
  });

  it('loads less than 300 kB', async () => {
    const window = await testConsole.open('/');
    await window.heading('Overview');
    const bytes = await window.page.evaluate<number>(
      "performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')).filter(({ name }) => name.includes('/console/')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)",
    );
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(300_000);
  });
});
