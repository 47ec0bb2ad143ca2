import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient, Reply } from '../support/api-client.js';
import { elementsOf } from '../support/html-tree.js';

let channels = 0;

/** Creates a channel that Ada and Bo are in, and answers its id. */
async function channel(settings: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const name = `channel ${(channels += 1)}`;
  return ada.createChannel(name, { principals: [adaId, boId], ...settings });
}

/** The name by which a text links to a channel of this file. */
async function nameOf(channelId: number): Promise<string> {
  return ((await ada.must('get', `streams/${channelId}`))['stream'] as Reply)['name'] as string;
}

async function send(to: number, topic: string): Promise<number> {
  return (await ada.must('post', 'messages', { type: 'channel', to, topic, content: 'x' }))['id'] as number;
}

/** What the notification bot said in a topic, oldest first. */
async function notices(
  channelId: number,
  topic: string,
  { client = ada, apply_markdown = false } = {},
): Promise<Reply[]> {
  const narrow = [
    { operator: 'channel', operand: channelId },
    { operator: 'topic', operand: topic },
  ];
  const page = { anchor: 'newest', num_before: 50, num_after: 0, narrow, apply_markdown };
  const { messages } = await client.must('get', 'messages', page);
  return (messages as Reply[]).filter((message) => message['sender_full_name'] === 'Notification Bot');
}

async function texts(channelId: number, topic: string): Promise<string[]> {
  return (await notices(channelId, topic)).map((notice) => notice['content'] as string);
}

const both = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };
const all = { propagate_mode: 'change_all' };
const byBo = (): string => `@_**Bo|${boId}**`;

describe('a move is announced', () => {
  it('by default only in the new topic', async () => {
    const to = await channel();
    const name = await nameOf(to);
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...all });
    expect(await texts(to, 'weaving')).toEqual([
      `This topic was moved here from #**${name}>looms** by ${byBo()}.`,
    ]);
    expect(await texts(to, 'looms')).toEqual([]);
  });

  it('also in the old topic if the mover requests it', async () => {
    const to = await channel();
    const name = await nameOf(to);
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...all, ...both });
    const [here] = await notices(to, 'weaving');
    const [there] = await notices(to, 'looms');
    expect(there).toMatchObject({ content: `This topic was moved to #**${name}>weaving** by ${byBo()}.` });
    expect(here!['id']).toBeLessThan(there!['id'] as number);
  });

  it('nowhere if the mover requests it', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    const nowhere = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...all, ...nowhere });
    expect([...(await texts(to, 'looms')), ...(await texts(to, 'weaving'))]).toEqual([]);
  });

  it('with a link to the one message that moved', async () => {
    const to = await channel();
    const name = await nameOf(to);
    const [first] = [await send(to, 'looms'), await send(to, 'looms')];
    await bo.must('patch', `messages/${first}`, { topic: 'weaving', ...both });
    const link = `[A message](#narrow/channel/${to}-${name.replace(' ', '-')}/topic/weaving/near/${first})`;
    expect(await texts(to, 'weaving')).toEqual([
      `${link} was moved here from #**${name}>looms** by ${byBo()}.`,
    ]);
    expect(await texts(to, 'looms')).toEqual([
      `${link} was moved from this topic to #**${name}>weaving** by ${byBo()}.`,
    ]);
    const [rendered] = await notices(to, 'weaving', { apply_markdown: true });
    expect(rendered!['content']).toBe(
      `<p><a href="#narrow/channel/${to}-${name.replace(' ', '-')}/topic/weaving/near/${first}">A message</a> was moved here from ` +
        `<a class="stream-topic" data-stream-id="${to}" href="/#narrow/channel/${to}-${name.replace(' ', '-')}/topic/looms">#${name} &gt; looms</a> ` +
        `by <span class="user-mention silent" data-user-id="${boId}">Bo</span>.</p>`,
    );
  });

  it('with the number of messages if only some of the topic move', async () => {
    const to = await channel();
    const name = await nameOf(to);
    const ids = [await send(to, 'looms'), await send(to, 'looms'), await send(to, 'looms')];
    await bo.must('patch', `messages/${ids[1]}`, {
      topic: 'weaving',
      propagate_mode: 'change_later',
      ...both,
    });
    expect(await texts(to, 'weaving')).toEqual([
      `2 messages were moved here from #**${name}>looms** by ${byBo()}.`,
    ]);
    expect(await texts(to, 'looms')).toEqual([
      `2 messages were moved from this topic to #**${name}>weaving** by ${byBo()}.`,
    ]);
  });

  it('as a move of some messages if the new topic had others already, though the old topic is gone', async () => {
    const to = await channel();
    const name = await nameOf(to);
    await send(to, 'weaving');
    const [first] = [await send(to, 'looms'), await send(to, 'looms')];
    await bo.must('patch', `messages/${first}`, { topic: 'weaving', ...all, ...both });
    expect(await texts(to, 'weaving')).toEqual([
      `2 messages were moved here from #**${name}>looms** by ${byBo()}.`,
    ]);
    expect(await texts(to, 'looms')).toEqual([`This topic was moved to #**${name}>weaving** by ${byBo()}.`]);
  });

  it('also from and to another channel, and when a topic is resolved on the way', async () => {
    const [from, to] = [await channel(), await channel()];
    const id = await send(from, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', stream_id: to, ...all, ...both });
    expect(await texts(to, '✔ looms')).toEqual([
      `This topic was moved here from #**${await nameOf(from)}>looms** by ${byBo()}.`,
    ]);
    expect(await texts(from, 'looms')).toEqual([
      `This topic was moved to #**${await nameOf(to)}>✔ looms** by ${byBo()}.`,
    ]);
  });

  it('with links to private channels and to topics of any characters', async () => {
    const to = await channel({ invite_only: true });
    const id = await send(to, 'a [b] *c* `d` & $$e$$ > f');
    await bo.must('patch', `messages/${id}`, { topic: '', ...all, ...both });
    const [here] = await notices(to, '', { apply_markdown: true });
    const name = await nameOf(to);
    const [link] = elementsOf(here!['content'] as string).filter(({ tag }) => tag === 'a');
    expect(link?.children).toEqual([`#${name} > a [b] *c* \`d\` & $$e$$ > f`]);
    expect(here!['subject']).toBe('general chat');
    const [there] = await notices(to, 'a [b] *c* `d` & $$e$$ > f', { apply_markdown: true });
    expect(there!['content']).toContain('&#62; general chat</a> by');
  });

  it('as read for the mover, and as unread for others', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: 'weaving', ...all, ...both });
    const [mine] = await notices(to, 'weaving', { client: bo });
    const [adas] = await notices(to, 'weaving');
    expect([mine!['flags'], adas!['flags']]).toEqual([['read'], []]);
    const narrow = [
      { operator: 'channel', operand: to },
      { operator: 'is', operand: 'unread' },
    ];
    const unread = await bo.must('get', 'messages', {
      anchor: 'newest',
      num_before: 9,
      num_after: 0,
      narrow,
    });
    expect((unread['messages'] as Reply[]).map((message) => message['id'] as number)).not.toContain(
      mine!['id'],
    );
  });
});

describe('a topic that is resolved', () => {
  it('says so itself, and when the mark is taken away later', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', ...all, ...both });
    expect(await texts(to, '✔ looms')).toEqual([`${byBo()} has marked this topic as resolved.`]);
    await send(to, '✔ looms');
    await bo.must('patch', `messages/${id}`, { topic: 'looms', ...all });
    expect(await texts(to, 'looms')).toEqual([
      `${byBo()} has marked this topic as resolved.`,
      `${byBo()} has marked this topic as unresolved.`,
    ]);
    expect(await texts(to, '✔ looms')).toEqual([]);
  });

  it('takes that back when the mark is taken away at once and nothing was said meanwhile', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', ...all });
    await bo.must('patch', `messages/${id}`, { topic: 'looms', ...all });
    expect(await texts(to, 'looms')).toEqual([]);
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', ...all });
    expect(await texts(to, '✔ looms')).toEqual([`${byBo()} has marked this topic as resolved.`]);
  });

  it('says nothing, and takes nothing back, where the same request changes the text', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    await ada.must('patch', `messages/${id}`, { topic: '✔ looms', content: 'threads', ...all });
    expect(await texts(to, '✔ looms')).toEqual([]);
    await ada.must('patch', `messages/${id}`, { topic: 'looms', ...all });
    await ada.must('patch', `messages/${id}`, { topic: '✔ looms', content: 'yarn', ...all });
    expect(await texts(to, '✔ looms')).toEqual([
      expect.stringContaining('has marked this topic as unresolved.'),
    ]);
  });

  it('causes an unread notice only for people who follow it, except for the one who resolved it', async () => {
    const to = await channel();
    const id = await send(to, 'looms');
    const { client: cy, id: cyId } = await server.createUser(owner, 'Cy');
    await ada.must('post', 'users/me/subscriptions', {
      subscriptions: [{ name: await nameOf(to) }],
      principals: [cyId],
    });
    for (const follower of [cy, bo]) {
      await follower.must('post', 'user_topics', { stream_id: to, topic: 'Looms', visibility_policy: 3 });
      await follower.must('post', 'user_topics', { stream_id: to, topic: '✔ looms', visibility_policy: 3 });
    }
    await ada.must('post', 'user_topics', { stream_id: to, topic: 'looms', visibility_policy: 0 });
    await bo.must('patch', `messages/${id}`, { topic: '✔ looms', ...all });
    const flags = async (client: ApiClient): Promise<unknown> =>
      (await notices(to, '✔ looms', { client }))[0]!['flags'];
    expect([await flags(cy), await flags(bo), await flags(ada)]).toEqual([[], ['read'], ['read']]);
  });
});
