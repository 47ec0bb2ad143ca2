import { RENDERER_VERSION } from '../../markdown/render.js';
import type { IndexDefinition, ModelDefinition } from '../../stores/read-store/port.js';
import { messageDefaults } from './message-document.js';
import { termsIn } from './text-search/words.js';

/**
 * Version of the documents' shape; the renderer has a version of its own, and both make up the model's
 * version.
 */
const SHAPE_VERSION = 20;

/** A partial index for messages with a rare property, in channels and among a person's direct messages. */
function whereFew(
  field: 'hasLink' | 'hasImage' | 'hasAttachment' | 'hasReaction',
): readonly IndexDefinition[] {
  const partialFilterExpression = { [field]: true };
  return [
    { key: { channelId: 1, _id: 1 }, partialFilterExpression },
    { key: { participantIds: 1, _id: 1 }, multikey: 'participantIds', partialFilterExpression },
  ];
}

/** Messages with their edits, topics, conversations, moves, and the activity of channels. */
export const messagesModel: ModelDefinition = {
  name: 'messages',
  version: SHAPE_VERSION * 1000 + RENDERER_VERSION,
  collections: [
    {
      name: 'messages',
      integerKeys: true,
      termIndex: { path: 'words', of: 'content', terms: termsIn },
      defaults: messageDefaults,
      indexes: [
        // Includes the number of changes, so that a page of a channel finds its messages' states without
        // reading them.
        { key: { channelId: 1, _id: 1, changes: 1 } },
        { key: { channelId: 1, topicKey: 1, _id: 1 } },
        { key: { channelId: 1, arrival: 1, _id: 1 }, partialFilterExpression: { arrival: { $gt: 0 } } },
        { key: { channelId: 1, _id: 1 }, partialFilterExpression: { isResolved: true } },
        { key: { senderId: 1, channelId: 1, _id: 1 } },
        { key: { conversation: 1, _id: 1 }, partialFilterExpression: { conversation: { $gt: '' } } },
        { key: { participantIds: 1, _id: 1 }, multikey: 'participantIds' },
        { key: { participantIds: 1, senderId: 1, _id: 1 }, multikey: 'participantIds' },
        { key: { mentionedIds: 1, channelId: 1, _id: 1 }, multikey: 'mentionedIds' },
        { key: { givenToIds: 1, _id: 1 }, multikey: 'givenToIds' },
        { key: { alertedIds: 1, channelId: 1, _id: 1 }, multikey: 'alertedIds' },
        ...whereFew('hasLink'),
        ...whereFew('hasImage'),
        ...whereFew('hasAttachment'),
        ...whereFew('hasReaction'),
        { key: { uploadIds: 1, _id: 1 }, multikey: 'uploadIds' },
        // The messages that a move took along, wherever they have gone since.
        { key: { moves: 1, _id: 1 }, multikey: 'moves' },
        { key: { timestamp: 1, _id: 1 } },
      ],
    },
    { name: 'message_edits', indexes: [{ key: { messageId: 1, number: 1 } }] },
    {
      name: 'deletions',
      integerKeys: true,
      indexes: [
        { key: { channelId: 1, topicKey: 1, _id: 1 } },
        { key: { conversation: 1, _id: 1 }, partialFilterExpression: { conversation: { $gt: '' } } },
        { key: { moves: 1, _id: 1 }, multikey: 'moves' },
      ],
    },
    { name: 'moves', indexes: [{ key: { eventId: 1 } }, { key: { channelId: 1, position: 1 } }] },
    {
      name: 'message_changes',
      indexes: [
        { key: { channelId: 1, position: 1 } },
        { key: { channelId: 1, topicKey: 1, position: 1 } },
        { key: { conversation: 1, position: 1 }, partialFilterExpression: { conversation: { $gt: '' } } },
        // Which of some messages changed between two log positions.
        { key: { messageId: 1, position: 1 } },
      ],
    },
    { name: 'arrivals', indexes: [], integerKeys: true },
    {
      name: 'topics',
      indexes: [
        { key: { channelId: 1, lastMessageId: 1 } },
        { key: { words: 1, _id: 1 }, multikey: 'words' },
      ],
    },
    { name: 'channel_activity', indexes: [], integerKeys: true },
    {
      name: 'conversations',
      indexes: [{ key: { participantIds: 1, _id: 1 }, multikey: 'participantIds' }],
    },
    { name: 'muters', indexes: [], integerKeys: true },
    { name: 'media', indexes: [], integerKeys: true },
    { name: 'alert_words', indexes: [], integerKeys: true },
  ],
};

/** People's flags: one document a person. */
export const flagsModel: ModelDefinition = {
  name: 'flags',
  version: 1,
  collections: [{ name: 'flags', indexes: [] }],
};
