import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

describeInBrowser('The console’s page of one’s own data', () => {
  let testConsole: TestConsole;
  let member: ApiClient;

  beforeAll(async () => {
    testConsole = await TestConsole.start();
    ({ client: member } = await testConsole.server.createUser(testConsole.owner, 'Ada Quill'));
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('lets a member have a copy made, by keyboard alone, and download and remove it', async () => {
    const window = await testConsole.open('/', { credentials: member.credentials });
    const { page } = window;
    await window.heading('Not for this account');
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Your data' }).click();
    await window.heading('Your data');
    await page.getByText('You have no copy yet.').waitFor();
    await page.getByRole('button', { name: 'Make a copy' }).focus();
    await page.keyboard.press('Enter');
    const download = page.getByRole('button', { name: 'Download your data' });
    await download.waitFor();
    expect(await window.barriers()).toEqual([]);
    const saving = page.waitForEvent('download');
    await download.click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('my-data.zip');
    expect((await readFile(await saved.path())).subarray(0, 2).toString()).toBe('PK');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Make a copy' }).click();
    await dialog.getByText(/replaces the one that is there/).waitFor();
    expect(await window.barriers()).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove it' }).click();
    await dialog.getByText(/will be removed/).waitFor();
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { export: kept } = await member.must('get', 'users/me/data_export');
    expect(kept).toMatchObject({ state: 'done' });
    await page.getByRole('button', { name: 'Remove it' }).click();
    await dialog.getByRole('button', { name: 'Remove the copy' }).click();
    await page.getByText('You have no copy yet.').waitFor();
    expect(window.faults).toEqual([]);
  });

  it('says so when the key is found to have ended by a download', async () => {
    const { client } = await testConsole.server.createUser(testConsole.owner, 'Bo Quill');
    const { page } = await testConsole.open('/your-data', { credentials: client.credentials });
    await page.getByRole('button', { name: 'Make a copy' }).click();
    const download = page.getByRole('button', { name: 'Download your data' });
    await download.waitFor();
    // The page asks for the state of the copy every second, which would find it out, too.
    const { body } = await client.get('users/me/data_export');
    await page.route(/\/users\/me\/data_export$/, (route) => route.fulfill({ json: body }));
    await client.must('post', 'users/me/api_key/regenerate');
    await download.click();
    const notice = page.getByRole('alert').filter({ hasText: 'no longer good' });
    await notice.waitFor();
  });

  it('fits a phone, in the dark too', async () => {
    const window = await testConsole.open('/your-data', {
      credentials: member.credentials,
      width: 'phone',
      scheme: 'dark',
    });
    await window.heading('Your data');
    expect(await window.scrollsSideways()).toBe(false);
    expect(await window.barriers()).toEqual([]);
  });
});
