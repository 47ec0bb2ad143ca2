import { describe, expect, it } from '@jest/globals';
import { requestedConversation } from '../../src/audit/past/conversation/requested-conversation.js';
import { roles } from '../../src/access/records/roles.js';
import { ReadLogParameters } from '../../src/audit/audit.parameters.js';
import type { LogSelection } from '../../src/audit/log/log-selection.js';
import { planOf } from '../../src/http/parameters/parameter-plan.js';
import { readParameters } from '../../src/http/parameters/read-parameters.js';
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

  function selected(sent: Readonly<Record<string, string>>): LogSelection {
    const parameters = readParameters(planOf(ReadLogParameters), (name) => sent[name]);
    return requestedSelection(parameters, nobody).selection;
  }

  it('has a maximum length, because the request is recorded', () => {
    expect(selected({ type: list(max, long) }).types).toEqual(['x'.repeat(long)]);
    for (const type of [list(max + 1), list(1, long + 1), list(1_000_000)]) {
      expect(refusal(() => selected({ type }))).toBe('invalidParameter');
    }
    const role = Array.from({ length: max + 1 }, () => 'owner');
    expect(refusal(() => selected({ role: role.join(',') }))).toBe('invalidParameter');
    expect(selected({ role: role.slice(1).join(',') }).roles).toEqual([roles.owner]);
  });
});
