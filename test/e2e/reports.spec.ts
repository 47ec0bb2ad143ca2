import { beforeAll, describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { ada, adaId, bo, boId, owner, server } from '../support/ada-and-bo.js';
import type { ApiClient } from '../support/api-client.js';

let moderators: number;

beforeAll(async () => {
  moderators = await owner.createChannel('moderators', { invite_only: true });
});

async function say(sender: ApiClient, to: number, content: string): Promise<number> {
  return (await sender.must('post', 'messages', { type: 'channel', to, topic: 'looms', content }))[
    'id'
  ] as number;
}

/** What was said last in the moderators' channel. */
async function lastNotice(): Promise<{ topic: string; content: string; sender: string }> {
  const narrow = [{ operator: 'channel', operand: moderators }];
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await owner.must('get', 'messages', page);
  const { subject: topic, content, sender_full_name: sender } = messages.at(-1);
  return { topic, content, sender };
}

describe('a message that is reported', () => {
  it('cannot be while there is no channel for that', async () => {
    const channel = await ada.createChannel('unmoderated');
    const id = await say(ada, channel, 'spam');
    const answer = await bo.post(`messages/${id}/report`, { report_type: 'spam' });
    expect([answer.status, answer.body.code]).toEqual([400, 'BAD_REQUEST']);
  });

  it('is sent to moderators with the reporter, the reason and the message', async () => {
    await owner.must('patch', 'realm', { moderation_request_channel_id: moderators });
    const channel = await ada.createChannel('looms', { principals: [adaId, boId] });
    const id = await say(ada, channel, 'buy ```my``` looms');
    await bo.must('post', `messages/${id}/report`, { report_type: 'spam', description: 'The third one.' });
    const { topic, content, sender } = await lastNotice();
    expect([topic, sender]).toEqual(['Ada moderation', 'Notification Bot']);
    expect(content).toContain(`@_**Bo|${boId}** reported a message by @_**Ada|${adaId}**, sent <time:20`);
    expect(content).toContain('**Spam**. The third one.');
    expect(content).toContain(`#**looms>looms@${id}**`);
    expect(content).toContain('\nbuy ```my``` looms\n');
    const { rendered } = await owner.must('post', 'messages/render', { content });
    expect(rendered).toContain('class="spoiler-block"');
  });

  it('may be a direct one, and is sent with its participants', async () => {
    const { id } = await ada.must('post', 'messages', { type: 'direct', to: [boId], content: 'pssst' });
    await bo.must('post', `messages/${String(id)}/report`, { report_type: 'other', description: 'Odd' });
    const { content } = await lastNotice();
    expect(content).toContain(`a direct message by @_**Ada|${adaId}** to @_**Bo|${boId}**`);
    expect(content).toContain('**Other reason**. Odd');
  });

  it('must be readable for the reporter, who gives a known reason and an explanation of limited length', async () => {
    const hidden = await say(ada, await ada.createChannel('closed', { invite_only: true }), 'x');
    const open = await say(ada, await ada.createChannel('open'), 'x');
    const { client: guest, id: guestId } = await server.createUser(owner, 'Guest');
    await owner.must('patch', `users/${guestId}`, { role: 600 });
    const { max } = budgets.reportExplanation;
    const answers = [
      await bo.post(`messages/${hidden}/report`, { report_type: 'spam' }),
      await guest.post(`messages/${open}/report`, { report_type: 'spam' }),
      await bo.post(`messages/${open}/report`, { report_type: 'boring' }),
      await bo.post(`messages/${open}/report`, { report_type: 'other', description: ' ' }),
      await bo.post(`messages/${open}/report`, { report_type: 'spam', description: 'x'.repeat(max + 1) }),
      await bo.post(`messages/${open}/report`, {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
    expect((await bo.post(`messages/${open}/report`, { report_type: 'norms' })).status).toBe(200);
  });

  it('has one of the types in the initial state of clients', async () => {
    const state = await bo.must('post', 'register', { fetch_event_types: ['realm'] });
    const keys = (state['server_report_message_types'] as { key: string }[]).map(({ key }) => key);
    expect(keys).toEqual(['spam', 'harassment', 'inappropriate', 'norms', 'other']);
  });
});
