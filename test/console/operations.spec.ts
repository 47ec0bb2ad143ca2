import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

// The verdict of a busy machine may be about something else for some time.
const MAX_WAIT = 60_000;

const titles = { overview: 'Overview', models: 'Read models', 'dead-letters': 'Dead letters' } as const;

describeInBrowser('The pages of operators', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  describe.each(Object.entries(titles))('%s', (path, title) => {
    it.each([
      { width: 'desk', scheme: 'light' },
      { width: 'phone', scheme: 'dark' },
    ] as const)('can be used by everybody on a $width, $scheme', async (look) => {
      const window = await testConsole.open(`/${path}`, look);
      await window.heading(title);
      await window.page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
      expect(window.faults).toEqual([]);
    });
  });

  it.each([
    ['overview', 'false'],
    ['dead-letters', 'false'],
    ['models', null],
  ] as const)('has the server open snapshots only to show them: %s', async (path, snapshots) => {
    const window = await testConsole.open('/log');
    const asked = window.page.waitForRequest(/audit\/operations/);
    await window.goTo(`/${path}`);
    expect(new URL((await asked).url()).searchParams.get('snapshots')).toBe(snapshots);
  });

  it('says in a sentence how the server is doing', async () => {
    const window = await testConsole.open('/overview');
    await window.page.getByText('All is well.').first().waitFor();
  });

  it('says how many e-mails were given up, and notifications dropped, in the last hour', async () => {
    const window = await testConsole.open('/models');
    const { page } = window;
    await page.route(/audit\/overview/, async (route) => {
      const response = await route.fetch();
      const reply = (await response.json()) as { overview: Record<string, unknown> };
      reply.overview['notificationsFailed'] = 1200;
      await route.fulfill({ response, json: reply });
    });
    await window.goTo('/overview');
    await page.getByText('1,200 dropped in the last hour').waitFor();
    await page.getByText('none given up').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('draws the lag of every read model and reactor that lagged, and of the rest together', async () => {
    const window = await testConsole.open('/models');
    const { page } = window;
    const lagging = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await page.route(/audit\/overview/, async (route) => {
      const response = await route.fetch();
      const reply = (await response.json()) as { overview: { now: number; samples: object } };
      const { now } = reply.overview;
      const figures = {
        ...Object.fromEntries(lagging.map((name, index) => [`lag:${name}`, [index + 2, 0]])),
        'reactor-lag:one': [4000, 7200],
        'reactor-lag:two': [0.02, 0.04],
        'reactor-lag:three': [0.03, 0.01],
        'reactor-lag:elsewhere': [null, null],
      };
      reply.overview.samples = { at: [now - 5_000, now], figures };
      await route.fulfill({ response, json: reply });
    });
    await window.goTo('/overview');
    const models = lagging.map((name) => `${name} 0 ms`).join(', ');
    await page.getByRole('img', { name: `Lag of read models: ${models}`, exact: true }).waitFor();
    const reactors = 'one 2 h, the highest of the others 40 ms';
    await page.getByRole('img', { name: `Lag of reactors: ${reactors}`, exact: true }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('says of when its sentence is while the server does not answer, and asks again', async () => {
    const window = await testConsole.open('/models');
    const { page } = window;
    await page.clock.install();
    await page.addInitScript(`{
      const timeout = AbortSignal.timeout.bind(AbortSignal);
      AbortSignal.timeout = (milliseconds) => timeout(globalThis.isHurried ? 50 : milliseconds);
    }`);
    await window.goTo('/overview');
    const verdict = page.getByRole('region', { name: 'Verdict' });
    await verdict.waitFor();
    await page.evaluate('globalThis.isHurried = true');
    let asked = 0;
    await page.route(/audit\/overview/, () => {
      asked += 1;
    });
    await page.clock.fastForward(21_000);
    await verdict.getByText(/^As of .*: nothing newer could be read\.$/).waitFor();
    expect(await verdict.getAttribute('class')).toBe('verdict old');
    expect(await window.barriers()).toEqual([]);
    await eventually(
      () => Promise.resolve(asked),
      (times) => times > 1,
    );
    await page.evaluate('globalThis.isHurried = false');
    await page.unroute(/audit\/overview/);
    await verdict.getByText(/^As of/).waitFor({ state: 'detached' });
    expect(window.faults).toEqual([]);
  });

  it('shows the age of a paused model at once, and who paused it is in the log', async () => {
    await owner.must('post', 'audit/operations', { operation: 'pause', projection: 'uploads' });
    const window = await testConsole.open('/overview');
    const paused = window.page.getByText('The read model uploads is paused.').first();
    await paused.waitFor();
    await owner.must('post', 'audit/operations', { operation: 'resume', projection: 'uploads' });
    await paused.waitFor({ state: 'hidden' });
    await window.page.getByText('All is well.').first().waitFor({ timeout: MAX_WAIT });
    const { events } = await owner.must('get', 'audit/log', { stream: 'operations' });
    expect(events).toMatchObject([
      { type: 'ModelOperationOrdered', data: { operation: 'pause', projection: 'uploads', operator: null } },
      { type: 'ModelOperationOrdered', data: { operation: 'resume', projection: 'uploads', operator: null } },
    ]);
  });

  it('refuses members, by reading and by acting', async () => {
    const { client: ada } = await testConsole.server.createUser(owner, 'Ada');
    for (const answer of [
      await ada.get('audit/overview'),
      await ada.get('audit/operations'),
      await ada.post('audit/operations', { operation: 'pause', projection: 'uploads' }),
    ]) {
      expect(answer.body).toMatchObject({ result: 'error', msg: 'Must be an organization owner' });
    }
  });
});
