import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import decodeQR from 'qr/decode.js';
import sharp from 'sharp';
import type { ApiClient } from '../support/api-client.js';
import { codeAt, enrol } from '../support/authenticator.js';
import { describeInBrowser } from './support/browser.js';
import { TestConsole } from './support/test-console.js';

const password = (name: string): string => `secret-of-${name}`;

describeInBrowser('The console’s page of the second factor', () => {
  let testConsole: TestConsole;

  beforeAll(async () => {
    testConsole = await TestConsole.start();
  });

  afterEach(() => testConsole.closeWindows());

  afterAll(() => testConsole.stop());

  async function member(name: string): Promise<ApiClient> {
    return (await testConsole.server.createUser(testConsole.owner, name)).client;
  }

  it('is set up and taken away by keyboard alone', async () => {
    const ada = await member('Ada');
    const window = await testConsole.open('/', { credentials: ada.credentials });
    const { page } = window;
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Second factor' }).click();
    await window.heading('Second factor');
    await page.getByRole('textbox', { name: 'Password' }).focus();
    await page.keyboard.type(password('Ada'));
    await page.keyboard.press('Enter');

    const secret = await secretShown(page);
    await page.keyboard.type(codeAt(secret, Date.now()));
    await page.keyboard.press('Enter');
    const codes = await codesShown(page);
    expect(codes).toHaveLength(10);
    expect(await ada.must('get', 'users/me/second_factor')).toMatchObject({ is_enabled: true });

    await page.locator('button:focus', { hasText: 'Download' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('10 recovery codes are left.', { exact: false }).waitFor();
    expect(await page.getByText(codes[0]!).count()).toBe(0);

    await page.getByRole('textbox', { name: 'Code' }).focus();
    await page.keyboard.type(codes[0]!);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Set it up' }).waitFor();
    expect(await ada.must('get', 'users/me/second_factor')).toMatchObject({ is_enabled: false });
    expect(window.faults).toEqual([]);
  });

  it('says what is wrong, and nobody is signed out by it', async () => {
    const { credentials } = await member('Bo');
    const { page } = await testConsole.open('/second-factor', { credentials });
    await page.getByRole('textbox', { name: 'Password' }).fill('not-the-password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').getByText('Wrong password!').waitFor();
    await page.getByRole('textbox', { name: 'Password' }).fill(password('Bo'));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'Code of your app' }).fill('abcdef');
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('alert').getByText('This code is wrong', { exact: false }).waitFor();
    await page
      .getByRole('textbox', { name: 'Code of your app' })
      .fill(codeAt(await secretShown(page), Date.now()));
    await page.getByRole('button', { name: 'Enable' }).click();
    expect(await codesShown(page)).toHaveLength(10);
  });

  it('shows a QR code that a camera reads, also in the dark, and lets both secrets be kept', async () => {
    const { credentials } = await member('Cy');
    const { page } = await testConsole.open('/second-factor', { credentials, scheme: 'dark' });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('textbox', { name: 'Password' }).fill(password('Cy'));
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = await secretShown(page);
    const uri = new URL(await readByCamera(page));
    expect([uri.protocol, uri.searchParams.get('secret')]).toEqual(['otpauth:', secret]);
    expect(decodeURIComponent(uri.pathname)).toContain(credentials!.email);
    await page.getByRole('button', { name: 'Copy the secret' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied(page)).toBe(secret);

    await page.getByRole('textbox', { name: 'Code of your app' }).fill(codeAt(secret, Date.now()));
    await page.getByRole('button', { name: 'Enable' }).click();
    const codes = await codesShown(page);
    await page.getByRole('button', { name: 'Copy the codes' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect((await copied(page)).split('\n')).toEqual(codes);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('recovery-codes.txt');
    const text = await readFile(await saved.path(), 'utf8');
    expect(text.trimEnd().split('\n').slice(-10)).toEqual(codes);
    expect(text).toContain(credentials!.email);
  });

  it('advises new recovery codes when few are left', async () => {
    const dot = await member('Dot');
    const { recovery } = await enrol(dot, password('Dot'));
    for (const second_factor of recovery.slice(0, 7)) {
      const logIn = { username: dot.credentials!.email, password: password('Dot'), second_factor };
      await dot.must('post', 'fetch_api_key', logIn);
    }
    const { page } = await testConsole.open('/second-factor', { credentials: dot.credentials });
    await page.locator('.verdict.watch').getByText('3 recovery codes are left.', { exact: false }).waitFor();
  });

  it.each([
    ['phone', 'light'],
    ['phone', 'dark'],
    ['desk', 'light'],
    ['desk', 'dark'],
  ] as const)('can be used by everybody on a %s, %s, at each step', async (width, scheme) => {
    const name = `Eve of the ${scheme} ${width}`;
    const { credentials } = await member(name);
    const window = await testConsole.open('/second-factor', { credentials, width, scheme });
    const { page } = window;
    const expectUsable = async (): Promise<void> => {
      expect(await window.barriers()).toEqual([]);
      expect(await window.scrollsSideways()).toBe(false);
    };
    await page.getByRole('textbox', { name: 'Password' }).fill(password(name));
    await expectUsable();
    await page.getByRole('button', { name: 'Continue' }).click();
    const secret = await secretShown(page);
    await expectUsable();
    await page.getByRole('textbox', { name: 'Code of your app' }).fill(codeAt(secret, Date.now()));
    await page.getByRole('button', { name: 'Enable' }).click();
    await codesShown(page);
    await expectUsable();
    await page.getByRole('button', { name: 'I keep them' }).click();
    await page.getByRole('region', { name: 'Disable it' }).waitFor();
    await expectUsable();
    expect(window.faults).toEqual([]);
  });
});

/** The secret as somebody types it off the page, when its field waits for a code. */
async function secretShown(page: Page): Promise<string> {
  await page.getByRole('textbox', { name: 'Code of your app' }).waitFor();
  return (await page.locator('.secret code').innerText()).replaceAll(' ', '');
}

async function codesShown(page: Page): Promise<readonly string[]> {
  const list = page.getByRole('list', { name: 'Recovery codes' });
  await list.waitFor();
  return list.getByRole('listitem').allInnerTexts();
}

function copied(page: Page): Promise<string> {
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** What a phone makes of the picture on the screen. */
async function readByCamera(page: Page): Promise<string> {
  const picture = await page.getByRole('img', { name: 'The secret as a QR code' }).screenshot();
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return decodeQR({ width: info.width, height: info.height, data });
}
