import { isFetched, type InitialState, type LaterState } from '../../realtime/initial-state.js';
import { GetMessageState, messageParts } from './queries/get-message-state.js';
import { stopWords } from './text-search/stop-words.js';

/** Initial state that concerns messages in general and depends on none of them. */
export const messageState: InitialState = {
  // Clients show that these words are not searched for.
  stop_words: () => ({ stop_words: [...stopWords] }),
};

/** Initial state that depends on which messages exist: unread, starred and recent ones. */
export const laterMessageState: LaterState = (request) => {
  const { caller, through, capabilities } = request;
  const parts = messageParts.filter((part) => isFetched(request, part));
  const withUnread = isFetched(request, 'update_message_flags');
  return parts.length === 0
    ? null
    : new GetMessageState(caller, { parts, withUnread, through, capabilities });
};
