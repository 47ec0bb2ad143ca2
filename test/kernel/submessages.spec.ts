import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import type { RecordedEvent, EventOf } from '../../src/kernel/event.js';
import type { JsonObject } from '../../src/kernel/json.js';
import { MessageSent, MESSAGES_STREAM, messageStream } from '../../src/events/messages.js';
import { messageFold, type Message, type MessageChange } from '../../src/contexts/messages/message.state.js';
import { decideAttachSubmessage } from '../../src/contexts/messages/submessages/submessages.decide.js';
import { parseForm, widgetOf } from '../../src/contexts/messages/submessages/submessage.js';
import { refusal, TestLog } from '../support/given.js';
import { standIn } from '../support/stand-in.js';

const [ada, bo] = [{ userId: 3 }, { userId: 4 }];
const vote = { type: 'vote', key: 'canned,0', vote: 1 };

/** A message of Ada's, and what happens to it. */
class World {
  private readonly log = new TestLog();
  private readonly sent: RecordedEvent<EventOf<typeof MessageSent>>;

  constructor(content: string) {
    const mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };
    const recipient = { type: 'channel' as const, channelId: 1, topic: 'notes' };
    const data = { senderId: ada.userId, recipient, content, references: {}, mentions, readBySender: true };
    [this.sent] = this.log.append<EventOf<typeof MessageSent>>(MESSAGES_STREAM, [
      { type: 'MessageSent', data },
    ]) as [RecordedEvent<EventOf<typeof MessageSent>>];
  }

  get message(): Message {
    return this.log.fold<Message, MessageChange>(messageFold(this.sent), messageStream(1));
  }

  attach(action: unknown, by = bo): readonly MessageChange[] {
    const content = typeof action === 'string' ? action : JSON.stringify(action);
    return decideAttachSubmessage(this.message, { kind: 'widget', content }, by);
  }

  happened(events: readonly MessageChange[]): this {
    this.log.append(messageStream(1), events);
    return this;
  }
}

describe('a text', () => {
  it.each([
    ['/poll', { question: '', options: [] }],
    [
      '/poll Lunch?\n- Soup\n* Salad\n\n  Bread ',
      { question: 'Lunch?', options: ['Soup', 'Salad', 'Bread'] },
    ],
  ])('that begins with /poll is a poll: %j', (content, extra_data) => {
    expect(widgetOf(content)).toEqual({ widget_type: 'poll', extra_data });
  });

  it('that begins with /todo is a list', () => {
    expect(
      widgetOf('/todo Party\nCake: two: with cream\nmusic\nat 10:30\nsee https://example.com: menu'),
    ).toEqual({
      widget_type: 'todo',
      extra_data: {
        task_list_title: 'Party',
        tasks: [
          { task: 'Cake', desc: 'two: with cream' },
          { task: 'music', desc: '' },
          { task: 'at 10:30', desc: '' },
          { task: 'see https://example.com', desc: 'menu' },
        ],
      },
    });
  });

  it.each(['/polls', 'a /poll', '/me polls', '/Poll x', ''])('is no program: %j', (content) => {
    expect(widgetOf(content)).toBeNull();
  });
});

describe('a form', () => {
  const choice = { type: 'multiple_choice', short_name: 'A', long_name: 'Yes', reply: 'again' };
  const extra_data = { type: 'choices', heading: 'Again?', choices: [choice], colour: { any: ['thing'] } };
  const form = { widget_type: 'zform', extra_data, version: 2 };

  it('is kept with all that a bot says of it', () => {
    expect(parseForm(JSON.stringify(form))).toBe(JSON.stringify(form));
  });

  it('is stored with data of any depth', () => {
    const deep = `${'['.repeat(4_500)}${']'.repeat(4_500)}`;
    const text = JSON.stringify(form).replace('2}', `${deep}}`);
    expect(parseForm(text)).toBe(text);
  });

  it('reads as text where it was written as an object', () => {
    const { upcasts, schema } = MessageSent;
    const example = standIn<JsonObject>(MessageSent.example);
    expect(schema.parse(upcasts[3]!({ ...example, form }))).toEqual({
      ...example,
      form: JSON.stringify(form),
    });
    expect(upcasts[3]!(example)).toEqual(example);
  });
});

describe('a submessage', () => {
  it('is named by its place after what the message says itself', () => {
    const poll = new World('/poll Lunch?');
    const attached = poll.attach(vote);
    expect(attached).toEqual([
      {
        type: 'SubmessageAttached',
        data: { messageId: 1, submessageId: 2, userId: 4, kind: 'widget', content: JSON.stringify(vote) },
      },
    ]);
    expect(poll.happened(attached).attach(vote)).toMatchObject([{ data: { submessageId: 3 } }]);
  });

  it('is begun by the sender where the server knows no program', () => {
    const plain = new World('Hello');
    expect(refusal(() => plain.attach({ any: 'thing' }))).toBe('noWidget');
    const opened = plain.happened(plain.attach({ any: 'thing' }, ada));
    expect(opened.attach({ any: 'thing' })).toMatchObject([{ data: { submessageId: 2, userId: 4 } }]);
  });

  it.each([
    ['/poll x', vote],
    ['/poll x', { type: 'new_option', idx: 1, option: 'Bread' }],
    ['/todo x', { type: 'new_task', key: 2, task: 'Cake', desc: '', completed: false }],
    ['/todo x', { type: 'strike', key: '0,canned' }],
  ])('of %j may be %j', (content, action) => {
    expect(new World(content).attach(action)).toHaveLength(1);
  });

  it.each([
    ['/poll x', { ...vote, vote: 2 }, 'invalidWidgetAction'],
    ['/poll x', { type: 'new_option', idx: -1, option: 'Bread' }, 'invalidWidgetAction'],
    ['/poll x', { type: 'strike', key: '0,canned' }, 'invalidWidgetAction'],
    ['/poll x', 'no JSON', 'invalidSubmessage'],
    ['/poll x', { ...vote, key: 'a'.repeat(1000) }, 'textTooLong'],
    ['/todo x', { type: 'new_task', key: 2, task: 'Cake' }, 'invalidWidgetAction'],
    ['/todo x', vote, 'invalidWidgetAction'],
    ['/todo x', null, 'invalidWidgetAction'],
  ])('of %j may not be %j', (content, action, error) => {
    expect(refusal(() => new World(content).attach(action))).toBe(error);
  });

  it.each([
    ['/poll x', { type: 'question', question: 'Dinner?' }],
    ['/todo x', { type: 'new_task_list_title', title: 'Feast' }],
  ])('of %j is for its author alone: %j', (content, action) => {
    expect(refusal(() => new World(content).attach(action))).toBe('invalidWidgetAction');
    expect(new World(content).attach(action, ada)).toHaveLength(1);
  });

  it('is not attached to what was deleted, nor beyond a number', () => {
    const gone = new World('/poll x').happened([
      { type: 'MessageDeleted', data: { messageId: 1, senderId: null, recipient: null } },
    ]);
    expect(refusal(() => gone.attach(vote))).toBe('invalidMessage');
    const full = new World('/poll x');
    for (let count = 1; count < budgets.submessages.max; count += 1) {
      full.happened([
        {
          type: 'SubmessageAttached',
          data: { messageId: 1, submessageId: count + 1, userId: 4, kind: 'widget', content: '{}' },
        },
      ]);
    }
    expect(refusal(() => full.attach(vote))).toBe('tooManySubmessages');
  });

  it('is not attached beyond a length of all together', () => {
    const attached = (messageLength: number): World =>
      new World('/poll x').happened([
        {
          type: 'SubmessageAttached',
          data: {
            messageId: 1,
            submessageId: 2,
            userId: 4,
            kind: 'widget',
            content: ' '.repeat(messageLength),
          },
        },
      ]);
    const room = budgets.submessageLength.max - JSON.stringify(vote).length;
    expect(attached(room).attach(vote)).toHaveLength(1);
    expect(refusal(() => attached(room + 1).attach(vote))).toBe('tooManySubmessages');
  });
});
