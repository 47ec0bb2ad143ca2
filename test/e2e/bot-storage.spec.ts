import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let owner: ApiClient;
let bot: ApiClient;

beforeAll(async () => {
  server = await TestServer.start();
  owner = await server.owner();
  const made = await owner.must('post', 'bots', { full_name: 'Relay', short_name: 'relay' });
  const { user } = await owner.must('get', `users/${made['user_id']}`);
  bot = new ApiClient(server.site, { email: user['email'] as string, key: made['api_key'] as string });
});

afterAll(async () => {
  await server.stop();
});

async function noted(parameters: { readonly keys?: readonly string[] } = {}): Promise<unknown> {
  return (await bot.must('get', 'bot_storage', parameters))['storage'];
}

describe('what bots note', () => {
  it('is readable by the bot alone, as a whole or by keys of any characters', async () => {
    const storage = { plain: 'text', 'a.b$c': '{"json": true}', '': 'no key', '5:plain': '' };
    await bot.must('put', 'bot_storage', { storage });
    await bot.must('put', 'bot_storage', { storage: { plain: 'other' } });
    expect(await noted()).toEqual({ ...storage, plain: 'other' });
    expect(await noted({ keys: [] })).toEqual({ ...storage, plain: 'other' });
    expect(await noted({ keys: ['a.b$c', 'plain'] })).toEqual({ plain: 'other', 'a.b$c': '{"json": true}' });
    const refused = await Promise.all([
      owner.get('bot_storage'),
      owner.put('bot_storage', { storage }),
      owner.delete('bot_storage'),
    ]);
    expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
      Array(3).fill([400, 'PERMISSION_DENIED']),
    );
    expect(await noted()).toEqual({ ...storage, plain: 'other' });
  });

  it('is removed by keys, or all at once', async () => {
    await bot.must('put', 'bot_storage', { storage: { one: '1', two: '2', three: '3' } });
    await bot.must('delete', 'bot_storage', { keys: ['one'] });
    expect(await noted()).not.toHaveProperty('one');
    await bot.must('delete', 'bot_storage');
    expect(await noted()).toEqual({});
  });

  it('is missed under keys that hold nothing', async () => {
    const keys = ['nothing'];
    for (const answer of [
      await bot.get('bot_storage', { keys }),
      await bot.delete('bot_storage', { keys }),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        400,
        { result: 'error', msg: 'Key does not exist.', code: 'BAD_REQUEST' },
      ]);
    }
  });

  it.each([
    ['nothing', {}, 'REQUEST_VARIABLE_MISSING'],
    ['a text', { storage: 'text' }, 'BAD_REQUEST'],
    ['a number', { storage: { a: 1 } }, 'BAD_REQUEST'],
    ['a key of 1,001 characters', { storage: { ['k'.repeat(1001)]: '' } }, 'BAD_REQUEST'],
  ])('is refused as %s', async (_what, parameters, code) => {
    const { status, body } = await bot.put('bot_storage', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('is refused beyond what a bot may note', async () => {
    const text = 'x'.repeat(400_000);
    await bot.must('put', 'bot_storage', { storage: { one: text } });
    await bot.must('put', 'bot_storage', { storage: { two: text } });
    const { status, body } = await bot.put('bot_storage', { storage: { three: text } });
    expect([status, body.msg]).toEqual([400, 'Request exceeds storage limit.']);
    expect(Object.keys((await noted()) as object)).toEqual(['one', 'two']);
  });
});
