import { isFetched, type InitialState, type LaterState } from '../../realtime/initial-state.js';
import { GetMessageState, messageParts } from './queries/get-message-state.js';
import { stopWords } from './text-search/stop-words.js';

/** What is said of messages that follows from none of them. */
export const messageState: InitialState = {
  // Clients say that these are not searched for.
  stop_words: () => ({ stop_words: [...stopWords] }),
};

/** Which messages there are, and how the person stands to them. */
export const laterMessageState: LaterState = (request) => {
  const { caller, through, capabilities } = request;
  const parts = messageParts.filter((part) => isFetched(request, part));
  const withUnread = isFetched(request, 'update_message_flags');
  return parts.length === 0
    ? null
    : new GetMessageState(caller, { parts, withUnread, through, capabilities });
};
