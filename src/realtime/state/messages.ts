import { idsIn } from '../../messages/flags/id-ranges.js';
import type { InitialState } from './initial-state.js';

/** Messages: which there are, and how the person stands to them. */
export const messageState: InitialState = {
  message: ({ moment: { lastMessageId } }) => ({
    max_message_id: lastMessageId === 0 ? -1 : lastMessageId,
  }),
  starred_messages: async ({ messages, user }) => ({
    starred_messages: idsIn((await messages.flags(user.id)).flags.starred),
  }),
};
