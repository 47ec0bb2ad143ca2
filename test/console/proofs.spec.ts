import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/api-client.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

describeInBrowser('The console’s proofs', () => {
  let testConsole: TestConsole;
  let owner: ApiClient;
  let auditor: ApiClient;
  let member: ApiClient;
  let messageId: number;

  beforeAll(async () => {
    const environment = { SEAL_EVERY_EVENTS: '5' };
    testConsole = await TestConsole.start({ environment });
    ({ owner } = testConsole);
    ({ client: member } = await testConsole.server.createUser(owner, 'Ada Quill'));
    auditor = await testConsole.createAuditor('Cleo');
    await member.createChannel('engines');
    messageId = await member.sendToChannel('engines', 'notes', 'Ready.');
    await member.must('patch', `messages/${messageId}`, { content: 'Almost ready.' });
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  it('verifies the log and shows the result', async () => {
    const window = await testConsole.open('/proofs');
    const { page } = window;
    await window.heading('Proofs');
    await page.getByText('Nothing was verified or proven since the server started.').waitFor();
    await page.getByRole('button', { name: 'Verify the log' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing is amiss', { exact: true }).waitFor();
    await page.getByText(/This speaks for the log up to/).waitFor();
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });

  it('proves a message, hands the proof out, and checks what was kept', async () => {
    const window = await testConsole.open('/proofs', { credentials: auditor.credentials });
    const { page } = window;
    await page.getByLabel('Message to prove').fill(String(messageId));
    await page.getByRole('button', { name: 'Prove the message' }).click();
    const saving = page.waitForEvent('download');
    await page.getByText(`Proving message ${messageId},`).waitFor();
    await page.getByRole('button', { name: 'Download the proof' }).click();
    const file = await (await saving).path();
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ format: 'palimpsest-proof-bundle' });
    const inputs = page.locator('input[type=file]');
    await inputs.nth(1).setInputFiles(file);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('Nothing is amiss, but no expected signer was given').waitFor();
    await page.getByText(/MessageEdited/).waitFor();
    await inputs.nth(0).setInputFiles(file);
    await page.getByRole('button', { name: 'Verify the log' }).click();
    await page.getByText('Nothing is amiss, and the log agrees with the kept proof').waitFor();
    await inputs.nth(1).setInputFiles({ name: 'x.json', mimeType: 'text/plain', buffer: Buffer.from('{}') });
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText("'bundle' is not a proof bundle").waitFor();
  });

  it('proves any event from its drawer, by keyboard alone, and leads to the result', async () => {
    const window = await testConsole.open('/log?type=ChannelCreated');
    const { page } = window;
    await page.getByRole('row').filter({ hasText: 'ChannelCreated' }).first().focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog');
    const button = drawer.getByRole('button', { name: 'Prove this event' });
    await button.waitFor();
    expect(await window.barriers()).toEqual([]);
    await button.focus();
    await page.keyboard.press('Enter');
    await window.heading('Proofs');
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText(/^Proving event [\da-f-]{36}/).waitFor();
    await result.getByText(/1 of them proven to be among them/).waitFor();
    await result.getByRole('button', { name: 'Download the proof' }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it.each([
    { width: 'phone', scheme: 'dark' },
    { width: 'desk', scheme: 'light' },
  ] as const)('fits a $width, bars nobody ($scheme), and lists the seals', async (look) => {
    const window = await testConsole.open('/proofs', { ...look, credentials: auditor.credentials });
    await window.heading('Proofs');
    const table = window.page.getByRole('region', { name: 'Seals of the log' });
    await table
      .getByText(/^SHA256:/)
      .first()
      .waitFor();
    expect(await window.page.getByRole('img', { name: /seals?; the newest covers/ }).count()).toBe(1);
    expect(await window.scrollsSideways()).toBe(false);
    expect(await window.barriers()).toEqual([]);
    expect(window.faults).toEqual([]);
  });

  it('keeps in the address which seals are shown', async () => {
    const seal = (number: number) => ({
      ...{ number, position: number * 10, at: number * 60_000, size: number * 10 },
      ...{ root: 'aa'.repeat(32), last: null, signer: null },
    });
    const window = await testConsole.open('/log');
    const { page } = window;
    await page.route(/audit\/seals\?/, async (route) => {
      const before = new URL(route.request().url()).searchParams.get('before');
      const seals = before === null ? [seal(9), seal(8)] : [seal(7), seal(6)];
      await route.fulfill({
        json: { result: 'success', msg: '', seals, before: before === null ? 80 : null },
      });
    });
    await window.goTo('/proofs?message=1');
    const table = page.getByRole('region', { name: 'Seals of the log' });
    await table.getByRole('link', { name: '90', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Earlier seals' }).click();
    await page.waitForURL(/before=80/);
    await table.getByRole('link', { name: '70', exact: true }).waitFor();
    await page.reload();
    await table.getByRole('link', { name: '70', exact: true }).waitFor();
    expect(await page.getByLabel('Message to prove').inputValue()).toBe('1');
    await page.getByRole('button', { name: 'Newest seals' }).click();
    await table.getByRole('link', { name: '90', exact: true }).waitFor();
    await page.goBack();
    await table.getByRole('link', { name: '70', exact: true }).waitFor();
    expect(window.faults).toEqual([]);
  });

  it('is not for members', async () => {
    const window = await testConsole.open('/proofs', { credentials: member.credentials });
    await window.heading('Not for this account');
  });
});
