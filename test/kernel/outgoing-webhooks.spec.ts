import { describe, expect, it } from '@jest/globals';
import {
  callKey,
  callsFold,
  dueCalls,
  maxRetries,
  type Calls,
} from '../../src/contexts/outgoing-webhooks/calls.state.js';
import { OpenNetworks } from '../../src/contexts/outgoing-webhooks/networks.js';
import { decideCall } from '../../src/contexts/outgoing-webhooks/calls.decide.js';
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
    for (let at = 1_000; pauses.length < maxRetries;) {
      calls = after(calls, { type: 'OutgoingWebhookUnanswered', data: call }, at);
      const next = calls.get(callKey(call))!.notBefore;
      expect(dueCalls(calls, next - 1)).toEqual([]);
      pauses.push(next - at);
      at = next;
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000]);
    expect(calls.get(callKey(call))).toMatchObject({ id: 'event at 1000', unanswered: 3 });
  });

  it.each<OutgoingWebhookEvent>([
    { type: 'OutgoingWebhookAnswered', data: call },
    { type: 'OutgoingWebhookFailed', data: { ...call, reason: 'x' } },
  ])('is over with $type', (event) => {
    expect(after(after(none, requested), event).size).toBe(0);
  });

  it('is given up where too many wait for the same bot', () => {
    let calls = none;
    const { max } = budgets.outgoingWebhookCalls;
    const next = (messageId: number, botId = 5): OutgoingWebhookEvent =>
      decideCall(calls, { messageId, botId, trigger: 'mention' });
    for (let messageId = 1; messageId <= max; messageId += 1) {
      expect(next(messageId).type).toBe('OutgoingWebhookRequested');
      calls = after(calls, next(messageId));
    }
    expect(next(max + 1).type).toBe('OutgoingWebhookFailed');
    expect(next(max + 1, 6).type).toBe('OutgoingWebhookRequested');
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
});
