import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';
import type { ConsoleWindow } from './support/test-browser.js';

/** A request for names, and how many names came. */
interface Asked {
  readonly path: string;
  readonly parameters: URLSearchParams;
  readonly count: number;
}

const PEOPLE = 300;
const BATCH = 20;

describeInBrowser('Names in the console, of many people', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let window: ConsoleWindow;
  let page: Page;
  let quillId: number;
  let messageId: number;
  let paths: string[];
  let asked: Asked[];

  const create = async (full_name: string, address: string): Promise<number> => {
    const account = { email: `${address}@example.com`, password: 'mauve-loom-1843', full_name };
    return (await owner.must('post', 'users', account))['user_id'] as number;
  };

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    const createNumbered = (number: number): Promise<number> =>
      create(`Person ${String(number).padStart(3, '0')}`, `person${number}`);
    for (let first = 1; first <= PEOPLE; first += BATCH)
      await Promise.all(Array.from({ length: BATCH }, (_, index) => createNumbered(first + index)));
    const { id, client } = await testConsole.server.createUser(owner, 'Quill');
    quillId = id;
    await client.createChannel('engines');
    messageId = await client.sendToChannel('engines', 'notes', 'Ready.');
    await owner.must('post', 'audit/cases', { name: 'Looms', user_ids: [quillId] });
  });

  beforeEach(async () => {
    window = await testConsole.open('/proofs');
    ({ page } = window);
    [paths, asked] = [[], []];
    page.on('response', (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (!pathname.startsWith('/api/')) return;
      const path = pathname.replace(/^\/api\/v1\//, '');
      paths.push(path);
      if (path !== 'audit/people' && path !== 'audit/channels') return;
      void response.json().then(
        (body: Record<string, readonly unknown[]>) => {
          const { length: count } = body[path.replace('audit/', '')]!;
          asked.push({ path, parameters: searchParams, count });
        },
        // A request that a later one replaced has no body.
        () => undefined,
      );
    });
  });

  afterEach(async () => {
    for (const { parameters, count } of asked) {
      expect(Number(parameters.get('limit') ?? 50)).toBeLessThanOrEqual(200);
      expect(count).toBeLessThanOrEqual(Number(parameters.get('limit') ?? 50));
    }
    expect(paths.filter((path) => path === 'users')).toEqual([]);
    expect(paths.length).toBeGreaterThan(0);
    expect(window.faults).toEqual([]);
    await testConsole.closeWindows();
  });

  afterAll(() => testConsole.stop());

  it('are read page by page as the list scrolls', async () => {
    await window.goTo('/people');
    const table = page.getByRole('table', { name: 'People' });
    await table.getByText('Person 001').waitFor();
    await eventually(
      () => Promise.resolve(asked.length),
      (count) => count === 1,
    );
    expect(asked[0]!.count).toBe(50);
    await table.focus();
    await eventually(
      async (): Promise<number> => {
        await page.keyboard.press('End');
        const found: number = await table.getByText('Quill', { exact: true }).count();
        return found;
      },
      (count) => count > 0,
    );
    expect(asked.length).toBeGreaterThanOrEqual(PEOPLE / 50);
  });

  it.each([
    ['the log', '/log'],
    ['the time machine', '/time-machine'],
    ['cases', '/cases'],
    ['a message', '/messages/ID'],
  ] as const)('are not read for %s, where none is entered', async (_, path) => {
    await window.goTo(path.replace('ID', String(messageId)));
    await page.getByRole('button', { name: /^(Show|Create the case)$/ }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
  });

  it('of one person are read for their history, and of those in a case for it', async () => {
    await window.goTo(`/people/${quillId}`);
    await window.heading('Quill');
    await window.goTo('/cases/1');
    await page.getByText(`Quill (${quillId})`).first().waitFor();
    expect(asked.map(({ parameters, count }) => [parameters.get('ids'), count])).toEqual([
      [`[${quillId}]`, 1],
      [`[${quillId}]`, 1],
    ]);
  });

  it('are suggested while somebody types, and the chosen one is not asked for again', async () => {
    await window.goTo('/log');
    const actor = page.getByRole('combobox', { name: 'Who acted', exact: true });
    await actor.fill('person 12');
    const suggested = (): Promise<readonly string[]> =>
      page.evaluate(
        '[...document.querySelector("input[name=actor]").list.options].map(({ value }) => value)',
      );
    const found = await eventually(suggested, ({ length }) => length === 10);
    expect(found[0]).toMatch(/^Person 120 \(\d+\)$/);
    await actor.fill(found[0]!);
    await page.keyboard.press('Enter');
    await page.waitForURL(/actor=\d+/);
    expect(found[0]).toContain(`(${new URL(page.url()).searchParams.get('actor')})`);
    await eventually(
      () => page.getByRole('combobox', { name: 'Who acted', exact: true }).inputValue(),
      (value) => value === found[0],
    );
    await page.waitForLoadState('networkidle');
    // Suggestions, and names for the page, have a limit. A look-up of what was entered asks for one id or an exact name.
    const lookUps = asked.filter(({ parameters }) => parameters.has('exact') || !parameters.has('limit'));
    expect(lookUps).toEqual([]);
  });

  it('that look like a suggestion for somebody else lead to whom they name', async () => {
    const twin = await create(`Quill (${quillId})`, 'twin');
    const alone = await create('Solo (999999)', 'solo');
    for (const [text, id] of [
      [`Quill (${quillId})`, quillId],
      [`Quill (${quillId}) (${twin})`, twin],
      ['Solo (999999)', alone],
      ['quill', quillId],
      ['nobody@example.com', 'nobody@example.com'],
    ] as const) {
      await window.goTo(`/messages/${messageId}`);
      await page.getByLabel('What could this person see of it').fill(text);
      const shown = page.waitForURL(/\?as=/);
      await page.keyboard.press('Enter');
      await shown;
      expect(new URL(page.url()).searchParams.get('as')).toBe(String(id));
      if (typeof id === 'number') await page.getByText('What this person could see').waitFor();
    }
    window.faults.splice(0, window.faults.length, ...window.faults.filter((one) => !one.includes('400')));
  });
});
