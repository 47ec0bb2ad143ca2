import { describe, expect, it } from '@jest/globals';
import { requestedConversation } from '../../src/audit/past/conversation/requested-conversation.js';
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
