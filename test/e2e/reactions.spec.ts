import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer, ApiClient, Reply } from '../support/api-client.js';
import { TestServer } from '../support/server.js';

let server: TestServer;
let ada: ApiClient;
let bo: ApiClient;
let adaId: number;
let boId: number;
let channelId: number;

beforeAll(async () => {
  server = await TestServer.start();
  const owner = await server.owner();
  ({ client: ada, id: adaId } = await server.createUser(owner, 'Ada'));
  ({ client: bo, id: boId } = await server.createUser(owner, 'Bo'));
  channelId = await channel('reactions', [adaId, boId]);
});

afterAll(async () => {
  await server.stop();
});

async function channel(name: string, principals: readonly number[], settings: object = {}): Promise<number> {
  return ada.createChannel(name, { principals, ...settings });
}

async function send(to: number = channelId, topic = 'engines'): Promise<number> {
  const sent = await ada.must('post', 'messages', { type: 'channel', to, topic, content: 'ready?' });
  return sent['id'] as number;
}

async function reactionsOf(id: number, client: ApiClient = bo): Promise<Reply[]> {
  return (await client.must('get', `messages/${id}`))['message']['reactions'] as Reply[];
}

function refusal({ status, body }: Answer): readonly [number, string | undefined] {
  return [status, body.code];
}

describe('reactions', () => {
  it('stand in the message for everybody at once, oldest first', async () => {
    const id = await send();
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'tada', emoji_code: '1f389' });
    await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
    const expected = [
      { ...octopus, user_id: boId },
      { emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji', user_id: adaId },
      { ...octopus, user_id: adaId },
    ];
    expect(await reactionsOf(id)).toEqual(expected);
    expect(await reactionsOf(id, ada)).toEqual(expected);
  });

  it('can be taken back, by name and by code', async () => {
    const id = await send();
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'tada' });
    await bo.must('delete', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    expect((await reactionsOf(id)).map((reaction) => reaction['emoji_name'])).toEqual(['tada']);
    await bo.must('delete', `messages/${id}/reactions`, {
      emoji_code: '1f389',
      reaction_type: 'unicode_emoji',
    });
    expect(await reactionsOf(id)).toEqual([]);
  });

  it.each(['zulip_extra_emoji', 'service_extra_emoji'])(
    'take %s and give the specification’s name back',
    async (reaction_type) => {
      const id = await send();
      const emoji = { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type };
      await bo.must('post', `messages/${id}/reactions`, emoji);
      expect(await reactionsOf(id)).toEqual([
        { ...emoji, reaction_type: 'service_extra_emoji', user_id: boId },
      ]);
      await bo.must('delete', `messages/${id}/reactions`, emoji);
      expect(await reactionsOf(id)).toEqual([]);
    },
  );

  it.each([
    ['without a name', {}, [400, 'REQUEST_VARIABLE_MISSING']],
    ['with an unknown emoji', { emoji_name: 'no_such_emoji' }, [400, 'BAD_REQUEST']],
    ['with a code of another', { emoji_name: 'octopus', emoji_code: '1f389' }, [400, 'BAD_REQUEST']],
    ['of an unknown type', { emoji_name: 'octopus', reaction_type: 'sticker' }, [400, 'BAD_REQUEST']],
    ['that were given already', { emoji_name: '+1' }, [400, 'REACTION_ALREADY_EXISTS']],
  ])('are refused %s', async (_what, parameters, expected) => {
    const id = await send();
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'thumbs_up' });
    expect(refusal(await bo.post(`messages/${id}/reactions`, parameters))).toEqual(expected);
    expect(await reactionsOf(id)).toHaveLength(1);
  });

  it.each([
    ['that were never given', { emoji_name: 'octopus' }, [400, 'REACTION_DOES_NOT_EXIST']],
    ['of somebody else', { emoji_name: 'tada' }, [400, 'REACTION_DOES_NOT_EXIST']],
    ['without name and code', {}, [400, 'BAD_REQUEST']],
    ['with an unknown emoji', { emoji_name: 'no_such_emoji' }, [400, 'BAD_REQUEST']],
  ])('cannot be taken back %s', async (_what, parameters, expected) => {
    const id = await send();
    await ada.must('post', `messages/${id}/reactions`, { emoji_name: 'tada' });
    expect(refusal(await bo.delete(`messages/${id}/reactions`, parameters))).toEqual(expected);
    expect(await reactionsOf(id)).toHaveLength(1);
  });

  it('answer alike for a message out of reach, in an archived channel, deleted, and for none', async () => {
    const hidden = await send(await channel('hidden reactions', [adaId], { invite_only: true }));
    const archive = await channel('archived reactions', [adaId, boId]);
    const archived = await send(archive);
    await ada.must('delete', `streams/${archive}`);
    const deleted = await send();
    await ada.must('delete', `messages/${deleted}`);
    const emoji = { emoji_name: 'octopus' };
    const answers = await Promise.all(
      [hidden, archived, deleted, 9_999_999].flatMap((id) => [
        bo.post(`messages/${id}/reactions`, emoji),
        bo.delete(`messages/${id}/reactions`, emoji),
      ]),
    );
    const seen = new Set(answers.map(({ status, body }) => JSON.stringify([status, body])));
    expect([...seen]).toEqual([
      JSON.stringify([400, { result: 'error', msg: 'Invalid message(s)', code: 'BAD_REQUEST' }]),
    ]);
  });

  it('outlive an edit, and do not make one', async () => {
    const id = await send();
    await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'octopus' });
    expect((await ada.must('get', `messages/${id}`))['message']).not.toHaveProperty('last_edit_timestamp');
    await ada.must('patch', `messages/${id}`, { content: 'yes' });
    expect(await reactionsOf(id)).toHaveLength(1);
  });

  it('are what has:reaction narrows to', async () => {
    const [plain, reacted, bare] = [
      await send(channelId, 'narrow'),
      await send(channelId, 'narrow'),
      await send(channelId, 'narrow'),
    ];
    for (const id of [reacted, bare])
      await bo.must('post', `messages/${id}/reactions`, { emoji_name: 'tada' });
    await bo.must('delete', `messages/${bare}/reactions`, { emoji_name: 'tada' });
    const ids = async (negated: boolean): Promise<number[]> => {
      const topic = { operator: 'topic', operand: 'narrow' };
      const narrow = [topic, { operator: 'has', operand: 'reaction', negated }];
      const { messages } = await bo.must('get', 'messages', {
        anchor: 'newest',
        num_before: 10,
        num_after: 0,
        narrow,
      });
      return (messages as Reply[]).map((message) => message['id'] as number);
    };
    expect(await ids(false)).toEqual([reacted]);
    expect(await ids(true)).toEqual([plain, bare]);
  });
});
