import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { ApiClient, type Answer } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { MailServer } from '../support/mail-server.js';
import { TestServer } from '../support/server.js';

let mail: MailServer;
let server: TestServer;
let owner: ApiClient;

beforeAll(async () => {
  mail = await MailServer.start();
  server = await TestServer.start({ environment: { SMTP_URL: mail.url } });
  owner = await server.owner();
});

afterAll(async () => {
  await server.stop();
  await mail.stop();
});

const anonymous = (): ApiClient => new ApiClient(server.site, null);

/** Status, code and message of an answer. */
function told({ status, body }: Answer): string {
  return [status, body.code ?? '', body.msg].join(' ').trim();
}

/** The e-mail to an address, once it came. */
async function emailTo(address: string): Promise<Email> {
  const received = await eventually(
    () => Promise.resolve(mail.mailTo(address)),
    ({ length }) => length > 0,
  );
  return received[0]!;
}

/** The link of that e-mail. */
async function linkTo(address: string): Promise<string> {
  return /https?:\/\/\S+/.exec((await emailTo(address)).text ?? '')?.[0] ?? '';
}

/** What a link ends in. */
function tokenOf(link: string): string {
  return link.slice(link.lastIndexOf('/') + 1);
}

function logIn(username: string, password: string): Promise<Answer> {
  return anonymous().post('fetch_api_key', { username, password });
}

let people = 0;
async function newcomer(): Promise<{ client: ApiClient; id: number; email: string; password: string }> {
  people += 1;
  const name = `Newcomer ${people}`;
  const { client, id } = await server.createUser(owner, name);
  return { client, id, email: client.credentials!.email, password: `secret-of-${name}` };
}

describe('changing one’s password', () => {
  it('takes the old one, and leaves every client logged in', async () => {
    const { client, email, password } = await newcomer();
    await client.must('patch', 'settings', { old_password: password, new_password: 'correct horse' });
    expect((await logIn(email, 'correct horse')).status).toBe(200);
    expect(told(await logIn(email, password))).toContain('401 AUTHENTICATION_FAILED');
    expect((await client.get('users/me')).status).toBe(200);
  });

  it('is refused without making any other change of the request', async () => {
    const { client, email, password } = await newcomer();
    const refused = async (request: object): Promise<string> =>
      told(await client.patch('settings', { enter_sends: true, full_name: 'Changed', ...request }));
    expect(await refused({ old_password: 'wrong', new_password: 'correct horse' })).toBe(
      '400 BAD_REQUEST Wrong password!',
    );
    expect(await refused({ new_password: 'correct horse' })).toBe(
      "400 REQUEST_VARIABLE_MISSING Missing 'old_password' argument",
    );
    expect(await refused({ old_password: password, new_password: '12345' })).toBe(
      '400 BAD_REQUEST The password is too short (6 characters at least).',
    );
    expect(await refused({ old_password: password, new_password: '1'.repeat(101) })).toBe(
      '400 BAD_REQUEST The password is too long (100 characters at most).',
    );
    expect(await refused({ old_password: password, new_password: 'correct horse', full_name: 'C' })).toBe(
      '400 BAD_REQUEST Name too short!',
    );
    expect((await logIn(email, password)).status).toBe(200);
    expect(await client.must('get', 'settings')).toMatchObject({ enter_sends: false });
  });
});

describe('changing one’s address', () => {
  it('happens when the link is followed that was mailed to the new one', async () => {
    const { client, id, email, password } = await newcomer();
    const wanted = `moved.${id}@example.com`;
    await client.must('patch', 'settings', { email: ` ${wanted}` });
    const token = tokenOf(await linkTo(wanted));
    expect(await client.must('get', 'users/me')).toMatchObject({ delivery_email: email });

    expect(await anonymous().must('post', 'accounts/confirm_new_email', { token })).toMatchObject({
      email: wanted,
    });
    expect((await client.get('users/me')).status).toBe(401);
    const notice = await emailTo(email);
    expect(notice.subject).toContain('has another address');
    expect(notice.text).not.toContain(wanted);
    expect((await logIn(wanted, password)).status).toBe(200);
    expect(told(await logIn(email, password))).toContain('401 AUTHENTICATION_FAILED');
    expect(told(await anonymous().post('accounts/confirm_new_email', { token }))).toBe(
      '400 BAD_REQUEST This link has expired, was used already, or was never valid.',
    );
    const freed = { email, password: 'mauve loom 1843', full_name: 'Somebody Else' };
    expect((await owner.post('users', freed)).status).toBe(200);
  });

  it.each([
    ['nobody', 'Enter a valid email address.'],
    ['desdemona@example.com', 'Email is already in use'],
  ])('is refused for %s', async (wanted, message) => {
    const { client } = await newcomer();
    await owner.post('users', {
      email: 'desdemona@example.com',
      password: 'mauve loom 1843',
      full_name: 'Desdemona',
    });
    expect(told(await client.patch('settings', { email: wanted }))).toBe(`400 BAD_REQUEST ${message}`);
  });

  it('is refused where the organization leaves addresses to administrators', async () => {
    const { client } = await newcomer();
    await owner.must('patch', 'realm', { email_changes_disabled: true });
    expect(told(await client.patch('settings', { email: 'other@example.com' }))).toBe(
      '400 BAD_REQUEST Email address changes are disabled in this organization.',
    );
    await owner.must('patch', 'realm', { email_changes_disabled: false });
  });

  it('is done at once by an owner who may change those of others', async () => {
    const { client, id, password } = await newcomer();
    const wanted = `given.${id}@example.com`;
    expect(told(await client.patch(`users/${id}`, { new_email: wanted }))).toBe(
      '400 BAD_REQUEST Insufficient permission',
    );
    await owner.must('patch', `users/${id}`, { new_email: wanted });
    expect((await owner.must('get', `users/${id}`))['user']).toMatchObject({ delivery_email: wanted });
    expect((await logIn(wanted, password)).status).toBe(200);
  });

  it('is not by a link for something else, or by one that was made up', async () => {
    const { email } = await newcomer();
    await anonymous().must('post', 'accounts/password/reset', { email });
    const token = tokenOf(await linkTo(email));
    for (const sent of [token, `${token}x`, 'x', '']) {
      expect(told(await anonymous().post('accounts/confirm_new_email', { token: sent }))).toBe(
        '400 BAD_REQUEST This link has expired, was used already, or was never valid.',
      );
    }
  });
});

describe('setting a password that was forgotten', () => {
  it('happens once, by a link that was mailed to the account', async () => {
    const { client, email, password } = await newcomer();
    await anonymous().must('post', 'accounts/password/reset', { email: email.toUpperCase() });
    const token = tokenOf(await linkTo(email));
    const reset = (new_password: string): Promise<Answer> =>
      anonymous().post('accounts/password/set', { token, new_password });
    expect(told(await reset('12345'))).toBe(
      '400 BAD_REQUEST The password is too short (6 characters at least).',
    );
    expect((await reset('brand new')).status).toBe(200);
    expect((await logIn(email, 'brand new')).status).toBe(200);
    expect(told(await logIn(email, password))).toContain('401 AUTHENTICATION_FAILED');
    // Whoever lost control of the account gets it back.
    expect((await client.get('users/me')).status).toBe(401);
    expect(told(await reset('another one'))).toBe(
      '400 BAD_REQUEST This link has expired, was used already, or was never valid.',
    );
  });

  it('answers the same for an address that nobody has, and writes to nobody', async () => {
    const known = await newcomer();
    const unknown = await anonymous().must('post', 'accounts/password/reset', {
      email: 'no.one@example.com',
    });
    expect(await anonymous().must('post', 'accounts/password/reset', { email: known.email })).toEqual(
      unknown,
    );
    await linkTo(known.email);
    expect(mail.mailTo('no.one@example.com')).toEqual([]);
  });

  it('tells no link to the log', async () => {
    const { email } = await newcomer();
    await anonymous().must('post', 'accounts/password/reset', { email });
    const token = tokenOf(await linkTo(email));
    expect(server.log.join('\n')).not.toContain(token);
  });
});

describe('the page that a link leads to', () => {
  /** What a browser is shown. */
  async function shown(
    link: string,
    form?: Record<string, string>,
  ): Promise<{ title: string; text: string }> {
    const response = await fetch(
      link,
      form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) },
    );
    const text = await response.text();
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    return { title: /<h1>(.*)<\/h1>/.exec(text)?.[1] ?? '', text };
  }

  it('confirms a new address once', async () => {
    const { client, id, password } = await newcomer();
    const wanted = `paged.${id}@example.com`;
    await client.must('patch', 'settings', { email: wanted });
    const link = await linkTo(wanted);
    expect((await shown(link)).title).toBe('Your address is confirmed');
    expect((await logIn(wanted, password)).status).toBe(200);
    expect((await shown(link)).title).toBe('This link does not work');
  });

  it('says what to do about a change that somebody else made, and is named in the e-mails of it', async () => {
    const { client, email, password } = await newcomer();
    await client.must('patch', 'settings', { old_password: password, new_password: 'mauve loom 1843' });
    const received = await eventually(
      () => Promise.resolve(mail.mailTo(email).map((one) => String(one.text))),
      (texts) => texts.some((text) => text.includes('was changed')),
    );
    const link = /https?:\S+not_me/.exec(received.join('\n'))?.[0] ?? '';
    const page = await shown(link);
    expect(page.title).toBe('If it was not you');
    expect(page.text).not.toContain('<form');
    expect((await client.get('users/me')).status).toBe(200);
  });

  it('refuses a used link before it asks for a password', async () => {
    const { email } = await newcomer();
    await anonymous().must('post', 'accounts/password/reset', { email });
    const link = await linkTo(email);
    expect((await shown(link)).title).toBe('Set a password for Palimpsest');
    await shown(link, { new_password: 'mauve loom 1843' });
    const again = await shown(link);
    expect(again.title).toBe('This link does not work');
    expect(again.text).not.toContain('<form');
  });

  it('asks for a password and sets it', async () => {
    const { email } = await newcomer();
    await anonymous().must('post', 'accounts/password/reset', { email });
    const link = await linkTo(email);
    expect((await shown(link)).text).toContain('<form method="post"');
    const short = await shown(link, { new_password: '12345' });
    expect(short.text).toContain('too short');
    expect(short.text).toContain('<form method="post"');
    expect((await shown(link, { new_password: 'from a page' })).title).toBe('Your password is set');
    expect((await logIn(email, 'from a page')).status).toBe(200);
    expect((await shown(`${link}x`)).title).toBe('This link does not work');
  });
});

describe('being deactivated', () => {
  const comment = (text: string): object => ({ deactivation_notification_comment: text });

  it('causes an e-mail if a comment is given, even an empty one', async () => {
    const [told, plainly] = [await newcomer(), await newcomer()];
    await owner.must('delete', `users/${told.id}`, { ...comment('Thank you for the <looms>.') });
    await owner.must('delete', `users/${plainly.id}`, { ...comment('') });
    const received = await emailTo(told.email);
    expect(received.subject).toContain('was deactivated');
    expect(received.text).toContain('“Thank you for the <looms>.”');
    expect((await emailTo(plainly.email)).text).not.toContain('words');
  });

  it('causes no e-mail without a comment, which has a maximum length', async () => {
    const [silent, wordy, last] = [await newcomer(), await newcomer(), await newcomer()];
    const { max } = budgets.deactivationComment;
    expect((await owner.delete(`users/${wordy.id}`, { ...comment('x'.repeat(max + 1)) })).status).toBe(400);
    await owner.must('delete', `users/${silent.id}`);
    await owner.must('delete', `users/${wordy.id}`, { ...comment('x'.repeat(max)) });
    await owner.must('delete', `users/${last.id}`, { ...comment('') });
    await emailTo(last.email);
    await emailTo(wordy.email);
    expect(mail.mailTo(silent.email)).toEqual([]);
  });
});
