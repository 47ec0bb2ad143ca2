import { describe, expect, it } from '@jest/globals';
import {
  callsFold,
  dueCalls,
  MAX_RETRIES,
  openCall,
  type Calls,
} from '../../src/contexts/outgoing-webhooks/calls.state.js';
import { OpenNetworks } from '../../src/contexts/outgoing-webhooks/networks.js';
import { decideCalls, decideFinishCall } from '../../src/contexts/outgoing-webhooks/calls.decide.js';
import {
  fairShare,
  MAX_UNDER_WAY,
  MAX_UNDER_WAY_OF_OWNER,
} from '../../src/contexts/outgoing-webhooks/fair-share.js';
import { replyIn } from '../../src/contexts/outgoing-webhooks/payload.js';
import type { OutgoingWebhookEvent } from '../../src/events/outgoing-webhooks.js';
import { budgets } from '../../src/kernel/budgets.js';
import type { RecordedEvent } from '../../src/kernel/event.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { standIn } from '../support/stand-in.js';

const call = { messageId: 41, botId: 5 };

function after(calls: Calls, event: OutgoingWebhookEvent, at = 0): Calls {
  const recorded = { ...event, id: `event at ${at}`, metadata: { at } };
  return callsFold.evolve(calls, standIn<RecordedEvent<OutgoingWebhookEvent>>(recorded));
}

const none: Calls = PersistentMap.empty();
const requested: OutgoingWebhookEvent = {
  type: 'OutgoingWebhookRequested',
  data: { ...call, trigger: 'mention' },
};

describe('a call', () => {
  it('is due at once, and later and later where nobody answers, under the same id', () => {
    let calls = after(none, requested, 1_000);
    const pauses: number[] = [];
    for (let at = 1_000; pauses.length < MAX_RETRIES;) {
      calls = after(calls, { type: 'OutgoingWebhookUnanswered', data: call }, at);
      const next = openCall(calls, call)!.notBefore;
      expect(dueCalls(calls, next - 1)).toEqual([]);
      pauses.push(next - at);
      at = next;
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    expect(openCall(calls, call)).toMatchObject({ id: 'event at 1000', unanswered: 3 });
  });

  it.each<OutgoingWebhookEvent>([
    { type: 'OutgoingWebhookAnswered', data: call },
    { type: 'OutgoingWebhookFailed', data: { ...call, reason: 'x' } },
  ])('is over with $type', (event) => {
    expect(after(after(none, requested), event).size).toBe(0);
  });

  it('is finished once, by the first process that has its outcome', () => {
    const calls = after(none, requested);
    const open = openCall(calls, call)!;
    const failed = { type: 'OutgoingWebhookFailed', reason: 'x' } as const;
    const events = decideFinishCall(calls, open, failed);
    expect(events).toEqual([{ type: 'OutgoingWebhookFailed', data: { ...call, reason: 'x' } }]);
    expect(decideFinishCall(after(calls, events[0]!), open, failed)).toEqual([]);
  });

  it('is given up where too many wait for the same bot', () => {
    const { max } = budgets.outgoingWebhookCalls;
    const calls = afterCalls(max, [5]);
    expect(typesOf(calls, [5])).toEqual(['OutgoingWebhookFailed']);
    expect(typesOf(calls, [6])).toEqual(['OutgoingWebhookRequested']);
    const answered = after(calls, { type: 'OutgoingWebhookAnswered', data: { messageId: 1, botId: 5 } });
    expect(typesOf(answered, [5])).toEqual(['OutgoingWebhookRequested']);
  });

  it('is given up where too many wait for all bots of the same owner', () => {
    const { max } = budgets.outgoingWebhookCallsOfOwner;
    const bots = Array.from({ length: max - 1 }, (_, index) => 1_000 + index);
    // Bots from 1,000 on have the same owner.
    const calls = afterCalls(1, bots);
    expect(typesOf(calls, [5, 1_600, 1_601])).toEqual([
      'OutgoingWebhookRequested',
      'OutgoingWebhookRequested',
      'OutgoingWebhookFailed',
    ]);
  });
});

/** The owner of the bots from 1,000 on is somebody else; the others have none. */
const ownerOf = (botId: number): number => (botId >= 1_000 ? 7 : botId);

function typesOf(calls: Calls, botIds: readonly number[]): readonly string[] {
  const events = decideCalls(calls, { messageId: 9_999, botIds, trigger: 'mention' }, ownerOf);
  return events.map(({ type }) => type);
}

/** The state in which each of the bots has a number of open calls, all of which were allowed. */
function afterCalls(count: number, botIds: readonly number[]): Calls {
  return Array.from({ length: count }, (_, index) => index + 1).reduce((calls, messageId) => {
    const events = decideCalls(calls, { messageId, botIds, trigger: 'mention' }, ownerOf);
    expect(events.every(({ type }) => type === 'OutgoingWebhookRequested')).toBe(true);
    return events.reduce((so, event) => after(so, event), calls);
  }, none);
}

describe('the calls that are sent next', () => {
  const many = Array.from({ length: 100 }, (_, index) => 1_000 + index);

  it('are the oldest of each bot', () => {
    const calls = afterCalls(3, [5, 6]);
    const due = dueCalls(calls, 0).map(({ messageId, botId }) => [messageId, botId]);
    expect(due.sort()).toEqual([
      [1, 5],
      [1, 6],
    ]);
  });

  it('leave places for other owners, however many bots one has', () => {
    const due = dueCalls(afterCalls(1, [...many, 5]), 0);
    const first = fairShare(due, new Set(), ownerOf).map(({ botId }) => botId);
    expect(first).toEqual([5, ...many.slice(0, MAX_UNDER_WAY_OF_OWNER)]);
    const underWay = new Set(many.slice(0, MAX_UNDER_WAY_OF_OWNER));
    expect(fairShare(due, underWay, ownerOf).map(({ botId }) => botId)).toEqual([5]);
  });

  it('are those of owners who have the fewest under way', () => {
    const others = Array.from({ length: MAX_UNDER_WAY - 3 }, (_, index) => 10 + index);
    const due = dueCalls(afterCalls(1, [1_000, 1_001, 5]), 0);
    const underWay = new Set([...others, 1_002]);
    expect(fairShare(due, underWay, ownerOf).map(({ botId }) => botId)).toEqual([5, 1_000]);
  });

  it('are not more than there are places, and no bot has two', () => {
    const ids = Array.from({ length: MAX_UNDER_WAY + 10 }, (_, index) => 10 + index);
    const due = dueCalls(afterCalls(1, ids), 0);
    expect(fairShare(due, new Set(), ownerOf)).toHaveLength(MAX_UNDER_WAY);
    expect(fairShare(due, new Set(ids.slice(0, MAX_UNDER_WAY)), ownerOf)).toEqual([]);
    const next = fairShare(due, new Set(ids.slice(0, MAX_UNDER_WAY - 1)), ownerOf);
    expect(next.map(({ botId }) => botId)).toEqual([ids[MAX_UNDER_WAY - 1]]);
  });
});

describe('networks', () => {
  const networks = new OpenNetworks(['10.1.0.0/16', 'fd00::1']);

  it.each([
    '127.0.0.1',
    '10.0.0.1',
    '10.2.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '3fff::1',
    '5f00::1',
    '2002:7f00:1::',
    'fd00::2',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    'no address',
  ])('are closed at %s', (address) => {
    expect(networks.isOpen(address)).toBe(false);
  });

  it.each(['10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '93.184.216.34', '172.32.0.1', '2606:2800:220:1::1'])(
    'are open at %s',
    (address) => {
      expect(networks.isOpen(address)).toBe(true);
    },
  );

  it('are looked at when a name is resolved', async () => {
    const found = await new Promise<Error | null>((done) => {
      networks.lookup('localhost', {}, (error) => done(error));
    });
    expect(found?.message).toBe('The host is in a private network');
  });
});

function nestedAnswer(depth: number): string {
  return `{"content": "a", "padding": "${'x'.repeat(1_000)}", "widget_content": ${'['.repeat(depth)}${']'.repeat(depth)}}`;
}

describe('an answer', () => {
  it.each([
    ['', 1, null],
    ['""', 1, null],
    ['{}', 1, null],
    ['{"content": "a"}', 1, { content: 'a', widgetContent: null }],
    ['{"response_string": "a"}', 1, { content: 'a', widgetContent: null }],
    ['{"content": "a", "widget_content": {"b": 1}}', 1, { content: 'a', widgetContent: '{"b":1}' }],
    ['{"content": "a", "widget_content": "{}"}', 1, { content: 'a', widgetContent: '{}' }],
    ['{"text": "a", "widget_content": {}}', 2, { content: 'a', widgetContent: null }],
    ['{"content": " "}', 1, null],
    ['{"content": "a", "response_not_required": true}', 1, null],
    ['{"text": "a"}', 1, null],
    ['{"text": "a"}', 2, { content: 'a', widgetContent: null }],
    ['[]', 1, undefined],
    ['"a"', 1, undefined],
    ['nonsense', 1, undefined],
  ])('%s by interface %i says %p', (body, kind, reply) => {
    expect(replyIn(body, kind)).toEqual(reply);
  });

  it('is valid up to the depth that requests may have', () => {
    const max = budgets.jsonDepth.max - 1;
    expect(replyIn(nestedAnswer(max), 1)).toEqual({
      content: 'a',
      widgetContent: `${'['.repeat(max)}${']'.repeat(max)}`,
    });
    expect(replyIn(nestedAnswer(max + 1), 1)).toBeUndefined();
    expect(replyIn(nestedAnswer(30_000), 1)).toBeUndefined();
  });
});
