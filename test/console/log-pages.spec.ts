import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { describeInBrowser } from './support/browser.js';
import { eventAt } from './support/stubbed-event.js';
import { TestConsole } from './support/test-console.js';

interface SentMessage {
  readonly position: number;
  readonly sentence: string;
  readonly metadata: { readonly at: number };
}

/** The text of the first row that is visible under the head of the table. */
const topRow = `(() => {
  const head = document.querySelector('.virtual-head');
  if (head === null) return '';
  const { left, bottom } = head.getBoundingClientRect();
  return document.elementFromPoint(left + 20, bottom + 10)?.closest('[role=row]')?.textContent ?? '';
})()`;

async function seesAtTheTop(page: Page, text: string): Promise<void> {
  await eventually(
    () => page.evaluate<string>(topRow),
    (row) => row.includes(text),
  );
}

describeInBrowser('The pages of the console’s log', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  /** All messages in the log, oldest first. */
  let sent: readonly SentMessage[];

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    await owner.createChannel('engines');
    for (let number = 1; number <= 150; number += 1)
      await owner.sendToChannel('engines', 'notes', `Note ${number}.`);
    const log = await owner.must('get', 'audit/log', { type: 'MessageSent', limit: 1000 });
    sent = log['events'] as readonly SentMessage[];
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('begin at a position, from which one scrolls to later events and to earlier ones', async () => {
    const note = sent.find(({ sentence }) => sentence.includes('Note 75.'))!;
    const window = await testConsole.open(`/log?type=MessageSent&at=${note.position}`);
    const { page } = window;
    const table = page.getByRole('table', { name: 'Events of the log' });
    // The page of later events comes without moving what is read.
    await table.getByText('Note 76.').waitFor();
    await seesAtTheTop(page, 'Note 75.');
    await table.focus();
    for (const newest of ['Note 135.', 'Note 150.']) {
      await eventually(
        () => page.keyboard.press('Home').then(() => table.getByText(newest).count()),
        (found) => found > 0,
      );
    }
    await eventually(
      () => page.keyboard.press('End').then(() => table.getByText('Note 1.').count()),
      (found) => found > 0,
    );
    await page.keyboard.press('End');
    await page.getByText(`${sent.length} events`, { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /^(Later|Earlier) events$/ }).count()).toBe(0);
    expect(await window.barriers()).toEqual([]);
    await page.getByRole('button', { name: 'Newest events' }).click();
    await seesAtTheTop(page, 'Note 150.');
    expect(new URL(page.url()).searchParams.has('at')).toBe(false);
    expect(window.faults).toEqual([]);
  });

  it('begin at the last event of a time that is entered, and at the first one if the time is earlier', async () => {
    const { at } = sent.find(({ sentence }) => sentence.includes('Note 75.'))!.metadata;
    const last = sent.findLast(({ metadata }) => metadata.at <= at)!;
    const window = await testConsole.open('/log?type=MessageSent');
    const { page } = window;
    const field = page.getByLabel('Begin at (time or position)');
    await field.fill(new Date(at).toISOString());
    await field.press('Enter');
    await page.waitForURL(/[?&]at=/);
    await seesAtTheTop(page, `${last.sentence.slice(0, 40)}`);
    await seesAtTheTop(page, /Note \d+\./.exec(last.sentence)![0]);
    await field.fill('2000-01-01');
    await field.press('Enter');
    const table = page.getByRole('table', { name: 'Events of the log' });
    await table
      .getByText(/Note \d/)
      .first()
      .waitFor();
    await table.focus();
    await eventually(
      () => page.keyboard.press('End').then(() => table.getByText('Note 1.').count()),
      (found) => found > 0,
    );
    expect(window.faults).toEqual([]);
  });

  it('are dropped at one end while more are read at the other, and read again on the way back', async () => {
    const window = await testConsole.open('/people');
    const { page } = window;
    const asked: string[] = [];
    await page.route(/audit\/log\?/, async (route) => {
      const parameters = new URL(route.request().url()).searchParams;
      const after = parameters.get('after');
      const before = Number(parameters.get('before') ?? NEWEST + 1);
      asked.push(after === null ? `before ${before}` : `after ${after}`);
      await route.fulfill({ json: after === null ? backwards(before) : forwards(Number(after)) });
    });
    await window.goTo('/log');
    const table = page.getByRole('table', { name: 'Events of the log' });
    await table.getByText(`Note ${NEWEST}.`).waitFor();
    await page.getByRole('switch', { name: 'Follow' }).waitFor();
    await table.focus();
    const press = async (key: string, isEnough: () => Promise<boolean>): Promise<void> => {
      await eventually(
        () => page.keyboard.press(key).then(isEnough),
        (enough) => enough,
      );
    };
    await press('End', () => Promise.resolve(asked.length >= 60));
    await page.getByText('3,000 events, and there may be more').waitFor();
    expect(await table.getByRole('row').count()).toBeLessThan(80);
    expect(await page.getByRole('switch', { name: 'Follow' }).count()).toBe(0);
    await press('Home', async () => (await table.getByText(`Note ${NEWEST}.`).count()) > 0);
    await page.getByRole('switch', { name: 'Follow' }).waitFor();
    await page.getByText('3,000 events, and there may be more').waitFor();
    // The last press of a key may have asked for one more page.
    const earlier = asked.filter((one) => one.startsWith('before'));
    expect(earlier).toEqual(earlier.map((_, index) => `before ${NEWEST + 1 - index * PAGE}`));
    const dropped = earlier.length - 3_000 / PAGE;
    expect(asked.slice(earlier.length)).toEqual(
      Array.from({ length: dropped }, (_, index) => `after ${NEWEST - (dropped - index) * PAGE}`),
    );
    expect(window.faults).toEqual([]);
  });

  it('are read without what the events contain, also while following', async () => {
    const window = await testConsole.open('/people');
    const { page } = window;
    const asked: URLSearchParams[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/v1/audit/log') asked.push(searchParams);
    });
    await window.goTo('/log');
    await page.getByRole('row').nth(1).waitFor();
    await page.getByRole('switch', { name: 'Follow' }).check({ force: true });
    await eventually(
      () => Promise.resolve(asked.filter((one) => one.get('follow') === 'true').length),
      (count) => count > 0,
    );
    expect(asked.map((one) => one.get('with_data'))).toEqual(asked.map(() => 'false'));
    expect(window.faults).toEqual([]);
  });

  it('say how many messages were moved, in the table and beside the stored form', async () => {
    const first = await owner.sendToChannel('engines', 'spools', 'One.');
    await owner.sendToChannel('engines', 'spools', 'Two.');
    await owner.must('patch', `messages/${first}`, { topic: 'bobbins', propagate_mode: 'change_all' });
    const window = await testConsole.open('/log?type=MessagesMoved');
    const { page } = window;
    const row = page.getByRole('row').filter({ hasText: /moved 2 messages from .* > “bobbins”/ });
    await row.click();
    await page
      .getByRole('dialog')
      .getByText(/moved 2 messages from /)
      .waitFor();
    expect(window.faults).toEqual([]);
  });
});

/** The newest position of a stubbed log, and how many events are on each of its pages. */
const NEWEST = 1_000_000;
const PAGE = 60;

function backwards(before: number) {
  const events = Array.from({ length: PAGE }, (_, index) => eventAt(before - 1 - index));
  const position = before - PAGE;
  return { result: 'success', events, position, found_oldest: false, newest: before - 1 };
}

function forwards(after: number) {
  const events = Array.from({ length: Math.min(PAGE, NEWEST - after) }, (_, index) =>
    eventAt(after + 1 + index),
  );
  const position = after + events.length;
  return { result: 'success', events, position, found_newest: position === NEWEST };
}
