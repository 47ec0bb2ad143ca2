import { describe, expect, it } from '@jest/globals';
import { ada, bo, boId, server } from '../support/ada-and-bo.js';
import { ApiClient } from '../support/api-client.js';
import { ClientQueue } from '../support/client-queue.js';

const emoji = { emoji_name: 'zulip', emoji_code: 'zulip' };
const newer = { ...emoji, reaction_type: 'service_extra_emoji' };
const older = { ...emoji, reaction_type: 'zulip_extra_emoji' };

/** Ada, by a client of that User-Agent. */
function adaBy(userAgent: string): ApiClient {
  return new ApiClient(server.site, ada.credentials, userAgent);
}

async function messageWithReaction(): Promise<number> {
  const { id } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'so?' });
  await bo.must('post', `messages/${String(id)}/reactions`, older);
  return id as number;
}

describe('the built-in emoji that is no Unicode character', () => {
  it.each([
    ['ZulipMobile/30.1 (Android 14)', older],
    ['zulip-js/2.1.0', older],
    ['Mozilla/5.0 (X11; Linux x86_64)', older],
    ['Mozilla', newer],
    ['MyBot/1.0 (like Zulip)', newer],
  ])('is of the type that %s knows, in messages, statuses and the initial state', async (agent, expected) => {
    const id = await messageWithReaction();
    const client = adaBy(agent);
    const { message } = await client.must('get', `messages/${id}`);
    expect(message.reactions).toEqual([{ ...expected, user_id: boId }]);
    const page = { anchor: id, num_before: 0, num_after: 0 };
    const { messages } = await client.must('get', 'messages', page);
    expect(messages[0].reactions).toEqual([{ ...expected, user_id: boId }]);
    await bo.must('post', 'users/me/status', { emoji_name: 'zulip' });
    expect((await client.must('get', `users/${boId}/status`))['status']).toEqual(expected);
    const state = await client.must('post', 'register', { fetch_event_types: ['user_status'] });
    expect(state['user_status'][boId]).toEqual(expected);
  });

  it('is not changed in the text of messages', async () => {
    const content = `\`${JSON.stringify(newer)}\``;
    const { id } = await bo.must('post', 'messages', { type: 'direct', to: [boId], content });
    const reader = new ApiClient(server.site, bo.credentials, 'ZulipMobile/30.1');
    const raw = await reader.must('get', `messages/${String(id)}`, { apply_markdown: false });
    expect(raw['message'].content).toBe(content);
  });

  it('is, in events, of the type that the client knew which registered, whoever asks', async () => {
    const mobile = await ClientQueue.register(adaBy('ZulipMobile/30.1'), ['reaction', 'user_status']);
    const own = await ClientQueue.register(ada, ['reaction', 'user_status']);
    await bo.must('post', 'users/me/status', { emoji_name: '' });
    await bo.must('post', 'users/me/status', { emoji_name: 'zulip' });
    const id = await messageWithReaction();
    for (const [queue, expected, requester] of [
      [mobile, older, ada],
      [own, newer, adaBy('ZulipMobile/30.1')],
    ] as const) {
      const { events } = await requester.must('get', 'events', {
        queue_id: queue.state['queue_id'] as string,
        last_event_id: -1,
      });
      const seen = (events as { message_id?: number; reaction_type: string }[]).slice(1);
      expect(seen).toEqual([
        expect.objectContaining({ type: 'user_status', ...expected }),
        expect.objectContaining({ type: 'reaction', message_id: id, ...expected }),
      ]);
    }
  });
});

describe('who reacted', () => {
  async function reactionsFor(userAgent: string): Promise<unknown> {
    const id = await messageWithReaction();
    const client = adaBy(userAgent);
    const { message } = await client.must('get', `messages/${id}`);
    const { messages } = await client.must('get', 'messages', { anchor: id, num_before: 0, num_after: 0 });
    expect(messages[0].reactions).toEqual(message.reactions);
    return message.reactions;
  }

  it('is named by the present name in each reaction for the terminal client, which fails without it', async () => {
    const agent = 'ZulipTerminal/0.7.0 Linux-6.1 (Linux; 6.1)';
    const { email } = bo.credentials!;
    const reaction = { ...older, user_id: boId };
    const user = { id: boId, user_id: boId, email, full_name: 'Bo' };
    expect(await reactionsFor(agent)).toEqual([{ ...reaction, user }]);
    await bo.must('patch', 'settings', { full_name: 'Bodil' });
    expect(await reactionsFor(agent)).toEqual([{ ...reaction, user: { ...user, full_name: 'Bodil' } }]);
  });

  it.each(['ZulipMobile/30.1 (Android 14)', 'ZulipTerminalLike/1.0', 'MyBot/1.0'])(
    'is an id only for %s',
    async (agent) => {
      expect(await reactionsFor(agent)).toEqual([
        { ...(agent === 'MyBot/1.0' ? newer : older), user_id: boId },
      ]);
    },
  );
});
