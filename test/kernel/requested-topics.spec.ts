import { describe, expect, it } from '@jest/globals';
import { requestedConversation } from '../../src/audit/past/conversation/requested-conversation.js';
import { roles } from '../../src/access/records/roles.js';
import { refusal } from '../support/given.js';
import { budgets } from '../../src/kernel/budgets.js';
import { requestedSelection, type NameLookup } from '../../src/audit/log/requested-selection.js';

const nobody = {} as NameLookup;

describe('a topic that auditors ask for', () => {
  it.each(['', 'general chat', ' general chat ', '(no topic)'])(
    'is the empty one in a conversation and in the log: “%s”',
    (topic) => {
      expect(requestedConversation({ channel_id: 3, topic })).toEqual({
        type: 'channel',
        channelId: 3,
        topicKey: '',
      });
      const { selection, asked } = requestedSelection({ channel_id: 3, topic }, nobody);
      expect(selection).toEqual({ channelId: 3, topic: { channelId: 3, topic: '' } });
      expect(asked).toEqual({ topic });
    },
  );

  it('keeps any other name, and all topics', () => {
    expect(requestedConversation({ channel_id: 3, topic: 'Notes' })).toEqual({
      type: 'channel',
      channelId: 3,
      topicKey: 'notes',
    });
    expect(requestedConversation({ channel_id: 3 })).toEqual({
      type: 'channel',
      channelId: 3,
      topicKey: null,
    });
  });
});

describe('A list of names in a filter of the log', () => {
  const list = (count: number, length = 1): string =>
    Array.from({ length: count }, () => 'x'.repeat(length)).join(',');
  const { max } = budgets.auditFilter;
  const long = budgets.eventTypeName.max;

  it('has a maximum length, because the request is recorded', () => {
    expect(requestedSelection({ type: list(max, long) }, nobody).selection.types).toEqual(['x'.repeat(long)]);
    for (const type of [list(max + 1), list(1, long + 1), list(1_000_000)]) {
      expect(refusal(() => requestedSelection({ type }, nobody))).toBe('invalidParameter');
    }
    const role = Array.from({ length: max + 1 }, () => 'owner');
    expect(refusal(() => requestedSelection({ role: role.join(',') }, nobody))).toBe('invalidParameter');
    const { selection } = requestedSelection({ role: role.slice(1).join(',') }, nobody);
    expect(selection.roles).toEqual([roles.owner]);
  });
});
