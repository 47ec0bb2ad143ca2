import { describe, expect, it } from '@jest/globals';
import { ada, adaId, bo, boId, owner } from '../support/ada-and-bo.js';
import type { Reply } from '../support/api-client.js';

async function send(content: string, to: readonly number[] = [boId]): Promise<number> {
  return (await ada.must('post', 'messages', { type: 'direct', to, content }))['id'] as number;
}

async function submessagesOf(id: number): Promise<Reply[]> {
  return (await bo.must('get', `messages/${id}`))['message']['submessages'] as Reply[];
}

const vote = { type: 'vote', key: 'canned,0', vote: 1 };

describe('submessages', () => {
  it('make a poll of a message, and carry its votes to everyone who sees it', async () => {
    const registered = await bo.must('post', 'register', { event_types: ['message', 'submessage'] });
    const message_id = await send('/poll Lunch?\nSoup\nSalad');
    const content = JSON.stringify(vote);
    await bo.must('post', 'submessage', { message_id, msg_type: 'widget', content });
    const extra_data = { question: 'Lunch?', options: ['Soup', 'Salad'] };
    const begun = {
      id: 1,
      message_id,
      sender_id: adaId,
      msg_type: 'widget',
      content: JSON.stringify({ widget_type: 'poll', extra_data }),
    };
    expect(await submessagesOf(message_id)).toEqual([
      begun,
      { id: 2, message_id, sender_id: boId, msg_type: 'widget', content },
    ]);
    const { queue_id, last_event_id } = registered;
    const { events } = await bo.must('get', 'events', { queue_id, last_event_id, dont_block: true });
    const [sent, voted] = events as Reply[];
    expect(sent?.['message']['submessages']).toEqual([begun]);
    const { id: _id, ...event } = voted as Reply;
    expect(event).toEqual({
      type: 'submessage',
      message_id,
      submessage_id: 2,
      sender_id: boId,
      msg_type: 'widget',
      content,
    });
  });

  const form = {
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'Deploy again?',
      choices: [{ type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: 'deploy' }],
    },
  };

  it('are the buttons that a bot offers below its text', async () => {
    const registered = await bo.must('post', 'register', { event_types: ['message'] });
    const { id } = await ada.must('post', 'messages', {
      type: 'direct',
      to: [boId],
      content: 'Done.',
      widget_content: form,
    });
    const offered = {
      id: 1,
      message_id: id,
      sender_id: adaId,
      msg_type: 'widget',
      content: JSON.stringify(form),
    };
    expect(await submessagesOf(id as number)).toEqual([offered]);
    const { queue_id, last_event_id } = registered;
    const { events } = await bo.must('get', 'events', { queue_id, last_event_id, dont_block: true });
    expect((events as Reply[])[0]?.['message']['submessages']).toEqual([offered]);
    const { status, body } = await ada.patch(`messages/${id}`, { content: 'other' });
    expect([status, body.msg]).toEqual([400, 'Widgets cannot be edited.']);
  });

  it.each([
    ['{', 'Widgets: API programmer sent invalid JSON content'],
    ['[]', /^Widgets: widget_content: /],
    [{ ...form, widget_type: 'game' }, /^Widgets: widget_content\.widget_type: /],
    [{ widget_type: 'zform' }, /^Widgets: widget_content\.extra_data: /],
    [
      { ...form, extra_data: { ...form.extra_data, choices: [{ short_name: 'A' }] } },
      /^Widgets: widget_content\.extra_data\.choices\.0\.long_name: /,
    ],
    [
      { ...form, extra_data: { ...form.extra_data, heading: 'x'.repeat(10_000) } },
      'widget_content is too long (limit: 10000 characters)',
    ],
  ])('are no form that is none: %j', async (widget_content, msg) => {
    const { status, body } = await ada.post('messages', {
      type: 'direct',
      to: [boId],
      content: 'x',
      widget_content,
    });
    expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
    expect(body.msg).toEqual(typeof msg === 'string' ? msg : expect.stringMatching(msg));
  });

  it('keep the text that they are about from being edited', async () => {
    const { status, body } = await ada.patch(`messages/${await send('/todo x')}`, { content: 'other' });
    expect([status, body.msg]).toEqual([400, 'Widgets cannot be edited.']);
  });

  it('are refused to who cannot see the message, and where there is nothing to take part in', async () => {
    const [poll, plain] = [await send('/poll x'), await send('hello')];
    const attach = { msg_type: 'widget', content: JSON.stringify(vote) };
    for (const [client, message_id, msg] of [
      [owner, poll, 'Invalid message(s)'],
      [bo, 99_999, 'Invalid message(s)'],
      [bo, plain, 'You cannot attach a submessage to this message.'],
    ] as const) {
      const { status, body } = await client.post('submessage', { ...attach, message_id });
      expect([status, body]).toEqual([400, { result: 'error', msg, code: 'BAD_REQUEST' }]);
    }
    expect(await submessagesOf(plain)).toEqual([]);
  });

  it.each([
    [{ msg_type: 'widget', content: '{}' }, 'REQUEST_VARIABLE_MISSING'],
    [{ message_id: 1, content: '{}' }, 'REQUEST_VARIABLE_MISSING'],
    [{ message_id: 1, msg_type: 'widget' }, 'REQUEST_VARIABLE_MISSING'],
    [{ message_id: 1, msg_type: 'x'.repeat(101), content: '{}' }, 'BAD_REQUEST'],
    [{ message_id: 'x', msg_type: 'widget', content: '{}' }, 'BAD_REQUEST'],
  ])('are refused as %j', async (parameters, code) => {
    const { status, body } = await ada.post('submessage', parameters);
    expect([status, body.code]).toEqual([400, code]);
  });

  it('are refused with what is no JSON or nothing that one may do', async () => {
    const message_id = await send('/poll x');
    for (const content of ['vote', '{"type":"vote"}', '{"type":"question","question":"Mine?"}']) {
      const { status } = await bo.post('submessage', { message_id, msg_type: 'widget', content });
      expect([content, status]).toEqual([content, 400]);
    }
    expect(await submessagesOf(message_id)).toHaveLength(1);
  });
});
