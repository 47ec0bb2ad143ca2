import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { TestServer } from '../support/server.js';
import { describeInBrowser } from './support/browser.js';
import { TestBrowser, type ConsoleWindow } from './support/test-browser.js';

describeInBrowser('The API page', () => {
  let server: TestServer;
  let owner: ApiClient;
  let browser: TestBrowser;
  let window: ConsoleWindow;
  let page: Page;

  beforeAll(async () => {
    [server, browser] = await Promise.all([TestServer.start(), TestBrowser.launch()]);
    owner = await server.owner();
    window = await browser.open({ site: server.site, credentials: null });
    ({ page } = window);
    await page.goto(`${server.site}/api/docs/`);
    await authorize(owner);
  });

  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  async function authorize({ credentials }: ApiClient): Promise<void> {
    await page.locator('.scheme-container .btn.authorize').click();
    const dialog = page.locator('.modal-ux');
    await dialog.locator('input').nth(0).fill(credentials!.email);
    await dialog.locator('input').nth(1).fill(credentials!.key);
    await dialog.locator('.btn.authorize').click();
    await dialog.locator('.btn-done').click();
  }

  function operation(verb: string, path: string): Locator {
    return page.locator(`.opblock-${verb}`).filter({ has: page.locator(`[data-path="${path}"]`) });
  }

  /** Shows the operations whose path has a part; when it resolves, no others are drawn any more. */
  async function filter(path: string): Promise<void> {
    await page.getByPlaceholder('Filter by tag or path').fill(path);
    await eventually(
      () =>
        page.evaluate<string[]>(
          '[...document.querySelectorAll(".opblock [data-path]")].map((block) => block.dataset.path)',
        ),
      (drawn) => drawn.length > 0 && drawn.every((shown) => shown.includes(path)),
    );
  }

  /** Executes an operation with what the page has filled in, and nothing else. */
  async function tryOut(verb: string, path: string, filled = path): Promise<Record<string, unknown>> {
    await filter(path);
    const block = operation(verb, path);
    await block.locator('.opblock-summary-control').click();
    await block.getByRole('button', { name: 'Try it out' }).click();
    const answered = page.waitForResponse((answer) => new URL(answer.url()).pathname === filled);
    await block.getByRole('button', { name: 'Execute' }).click();
    const answer = (await (await answered).json()) as Record<string, unknown>;
    await block.locator('.live-responses-table').waitFor();
    await block.locator('.opblock-summary-control').click();
    return answer;
  }

  it('shows the operations of every group, without a click', async () => {
    // What is out of sight is drawn when it comes into sight.
    for (const [group, path] of [
      ['audit', '/api/v1/audit/log'],
      ['drafts', '/api/v1/drafts'],
    ] as const) {
      await page.getByPlaceholder('Filter by tag or path').fill(group);
      await operation('get', path).waitFor();
    }
  });

  it.each([
    ['post', '/api/v1/users/me/subscriptions'],
    ['post', '/api/v1/messages'],
    ['get', '/api/v1/messages'],
    ['get', '/api/v1/users/me/subscriptions'],
    ['get', '/api/v1/users'],
    ['post', '/api/v1/register'],
    ['post', '/api/v1/messages/flags'],
    ['post', '/api/v1/messages/render'],
    ['post', '/api/v1/drafts'],
    ['get', '/api/v1/audit/log'],
  ])('executes %s %s with what it fills in', async (verb, path) => {
    expect(await tryOut(verb, path)).toMatchObject({ result: 'success', msg: '' });
  });

  it.each([
    ['/api/v1/messages/{message_id}', '/api/v1/messages/1'],
    ['/api/v1/messages/{message_id}/history', '/api/v1/messages/1/history'],
    ['/api/v1/streams/{stream_id}', '/api/v1/streams/1'],
  ])('fills the path in where %s is read', async (path, filled) => {
    expect(await tryOut('get', path, filled)).toMatchObject({ result: 'success', msg: '' });
  });

  it('tells of an operation what it answers, and with which errors it refuses', async () => {
    await filter('/api/v1/messages/flags');
    const block = operation('post', '/api/v1/messages/flags');
    await block.locator('.opblock-summary-control').click();
    const responses = block.locator('.responses-table').last();
    await responses.getByText('A success').waitFor();
    await responses.getByText('Invalid message(s)').waitFor();
  });

  it('loads nothing from elsewhere, and no script fails', () => {
    expect(window.faults).toEqual([]);
  });
});
