import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { checkCaseBundle } from '../../src/audit/cases/bundle/check-case-bundle.js';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

describeInBrowser('The console’s cases', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let auditor: ApiClient;
  let member: ApiClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'palimpsest-bundles-'));
    testConsole = await TestConsole.start();
    ({ owner } = testConsole);
    ({ client: member } = await testConsole.server.createUser(owner, 'Ada Quill'));
    auditor = await testConsole.createAuditor('Cleo');
    await member.createChannel('engines');
    const id = await member.sendToChannel('engines', 'notes', 'The boiler is late.');
    await member.must('patch', `messages/${id}`, { content: 'Nothing to see.' });
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(async () => {
    await testConsole.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('creates a case, counts and searches it, and exports it', async () => {
    const { page, faults } = await testConsole.open('/cases', { credentials: auditor.credentials });
    await page.getByText('There is no case yet.').waitFor();
    await page.getByLabel('Name').fill('Engine <b>dispute</b>');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Engine <b>dispute</b>' }).click();
    await page.getByRole('heading', { level: 1, name: 'Engine <b>dispute</b>' }).waitFor();
    await page.getByLabel('Words', { exact: true }).fill('boiler');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByRole('button', { name: 'Count what it covers' }).click();
    await page.getByText(/^1 message \(0 deleted\) in 2 versions/).waitFor();
    await page.getByLabel('Words to search').fill('late');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Version 1, changed since:').waitFor();
    await page.getByText('The boiler is late.').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download the bundle' }).click();
    const file = join(folder, 'case.zip');
    await (await saving).saveAs(file);
    expect(await checkCaseBundle(file, {})).toMatchObject({ faults: [], claim: { counts: { messages: 1 } } });
    const made = page.getByRole('article', { name: 'Export' });
    await made.getByRole('button', { name: 'Forget' }).click();
    await page
      .getByRole('dialog')
      .getByText(/will be removed from the server/)
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await made.count()).toBe(1);
    await made.getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the bundle' }).click();
    await made.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });

  it('asks before it places and lifts a hold, and says what that will do', async () => {
    // Neither the owner nor the auditor is in it.
    const vault = await member.createChannel('vault', { invite_only: true });
    const { id } = await owner.must('post', 'audit/cases', { name: 'Held', channel_ids: [vault] });
    const { user_id: ownerId } = await owner.must('get', 'users/me');
    const { user } = await owner.must('get', `users/${String(ownerId)}`);
    const { page } = await testConsole.open(`/cases/${String(id)}`);
    const held = async (): Promise<boolean> =>
      (await owner.must('get', `audit/cases/${String(id)}`))['case'].hold !== null;
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await page.getByText(/stays readable for auditors, even if somebody deletes it/).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await held()).toBe(false);
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await page.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText(new RegExp(`Held since .* by ${String(user.full_name)}`)).waitFor();
    expect(await held()).toBe(true);
    expect(await page.getByLabel('Words', { exact: true }).count()).toBe(0);
    await page.getByText('What the case covers cannot be changed until the hold is lifted.').waitFor();
    await page.getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByText(/This cannot be undone/).waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByText(/There is no hold/).waitFor();
    expect(await held()).toBe(false);
    await page.getByRole('button', { name: 'Close the case' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close the case' }).click();
    await page.getByText(/The case was closed .* by /).waitFor();
    expect(await page.getByRole('region', { name: 'What it is about' }).textContent()).toMatch(
      /Peopleeverybody.*Channelsvault \(\d+\)/,
    );
  });

  it('places a hold only on the scope that was shown', async () => {
    const { id } = await owner.must('post', 'audit/cases', { name: 'Moving', words: 'boiler' });
    const path = `audit/cases/${String(id)}`;
    const { page } = await testConsole.open(`/cases/${String(id)}`);
    await page.getByRole('heading', { level: 1, name: 'Moving' }).waitFor();
    await owner.must('patch', path, { words: 'valve' });
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await page.getByRole('dialog').getByText('valve').waitFor();
    await owner.must('patch', path, { words: 'piston' });
    await page.getByRole('button', { name: 'Place the hold' }).click();
    await page
      .getByText(/Somebody has changed the case meanwhile/)
      .first()
      .waitFor();
    expect((await owner.must('get', path))['case'].hold).toBeNull();
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await page.getByRole('dialog').getByText('piston').waitFor();
    await page.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText(/Held since/).waitFor();
  });

  it('keeps what is edited when the case changes, and sends nothing else', async () => {
    // In Berlin, 02:30 comes twice that night: this is the second time.
    const from = Date.UTC(2026, 9, 25, 1, 30) / 1000;
    const { id } = await owner.must('post', 'audit/cases', { name: 'Edited', from: '2026-10-25T01:30Z' });
    const path = `audit/cases/${String(id)}`;
    const { page } = await testConsole.open(`/cases/${String(id)}`);
    const description = page.getByLabel('Description');
    await description.fill('Who promised what');
    await page.getByRole('button', { name: 'Place a hold' }).click();
    await page.getByRole('button', { name: 'Place the hold' }).click();
    await page.getByText(/Held since/).waitFor();
    expect(await description.inputValue()).toBe('Who promised what');
    await page.getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Lift the hold' }).click();
    await page.getByText(/There is no hold/).waitFor();
    await owner.must('patch', path, { name: 'Renamed' });
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText(/What you edited is kept, and only that is saved.*Renamed/).waitFor();
    expect(await description.inputValue()).toBe('Who promised what');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText(/What you edited is kept/).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Renamed' }).waitFor();
    const saved = { name: 'Renamed', description: 'Who promised what', from };
    expect((await owner.must('get', path))['case']).toMatchObject(saved);
    await page.getByLabel('Sent until').fill('2026-02-30');
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByRole('alert').waitFor();
    expect((await owner.must('get', path))['case']).toMatchObject({ ...saved, to: null });
  });

  it('says what a search and an export lack, searches on, and says why there is no file', async () => {
    await owner.must('post', 'audit/cases', { name: 'Incomplete' });
    const { page } = await testConsole.open('/cases');
    const tasks = [
      { id: 'one', kind: 'search', result: { hits: [], looked: 5, beyond: 17, unreadable_events: 2 } },
      {
        id: 'two',
        kind: 'export',
        result: { bytes: 1, messages: 5, files: 0, events: 9, unreadable_events: 3 },
      },
    ].map((task) => ({ ...task, state: 'done', progress: 1, began: 1, error: null, expires: null }));
    const begun: unknown[] = [];
    await page.route('**/api/v1/audit/cases/*/tasks', async (route) => {
      const sent = route.request().postData();
      if (sent !== null) begun.push(Object.fromEntries(new URLSearchParams(sent)));
      await route.fulfill({ json: { result: 'success', msg: '', task: tasks[0], tasks } });
    });
    await page.getByRole('link', { name: 'Incomplete' }).click();
    await page
      .getByText(/later messages have not been searched yet\. The words may also be in 2 events that/)
      .waitFor();
    await page.getByText(/9 events with proofs, without 3 events that cannot be read/).waitFor();
    await page.getByLabel('Words to search').fill('late');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Search on' }).click();
    await page.getByRole('button', { name: 'Download the bundle' }).click();
    await page.getByText(/no such task/i).waitFor();
    expect(begun).toEqual([
      { kind: 'search', words: 'late' },
      { kind: 'search', words: 'late', after: '17' },
    ]);
    await page.reload();
    await page.getByText(/does not have the words of this search any more/).waitFor();
    expect(await page.getByRole('button', { name: 'Search on' }).count()).toBe(0);
  });

  it.each([
    { width: 'phone', scheme: 'dark' },
    { width: 'desk', scheme: 'light' },
  ] as const)('fits a $width, and bars nobody ($scheme)', async (look) => {
    const { id } = await owner.must('post', 'audit/cases', { name: 'A'.repeat(100) });
    const list = await testConsole.open('/cases', look);
    await list.heading('Cases');
    await list.page.getByRole('region', { name: 'Every case' }).waitFor();
    expect([await list.scrollsSideways(), await list.barriers()]).toEqual([false, []]);
    const one = await testConsole.open(`/cases/${String(id)}`, look);
    await one.page.getByText('No search, count or export since the server started.').waitFor();
    await one.page.getByRole('button', { name: 'Count what it covers' }).click();
    await one.page.getByText(/stored events/).waitFor();
    expect([await one.scrollsSideways(), await one.barriers()]).toEqual([false, []]);
    expect([...list.faults, ...one.faults]).toEqual([]);
  });

  it('reads the case in the address alone, and says that there is none', async () => {
    const { id } = await owner.must('post', 'audit/cases', { name: 'Quiet' });
    const window = await testConsole.open('/log');
    const { page } = window;
    const paths: string[] = [];
    page.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await window.goTo(`/cases/${String(id)}`);
    await window.heading('Quiet');
    await window.goTo('/cases/nine');
    await page.getByText('There is no case nine.').waitFor();
    expect(window.faults).toEqual([]);
    await window.goTo('/cases/99999');
    await page.getByText('There is no case 99999.').waitFor();
    expect(paths).toContain(`/api/v1/audit/cases/${String(id)}`);
    expect(paths).not.toContain('/api/v1/audit/cases');
  });

  it('is not for members', async () => {
    const window = await testConsole.open('/cases', { credentials: member.credentials });
    await window.heading('Not for this account');
  });
});
