import type { TimeSlice } from '../../runtime/time-slice.js';
import type { MessageDocument } from '../messages/message-document.js';
import type { Term } from '../messages/narrow/terms.js';
import type { QuerySession } from '../messages/query-session.js';
import { flagsOf } from '../messages/view/flags.js';

/** Maximum number of messages shown before one mention. */
const MAX_BEFORE = 5;

/** Maximum number of such messages in one e-mail, which may be about a hundred mentions. */
const MAX_IN_EMAIL = 50;

/** Seconds: older messages rarely belong to the mention. */
const MAX_AGE = 15 * 60;

/** Whether a channel message mentions the person, by name or with a wildcard, and reached them. */
function isMention(message: MessageDocument, { context }: Pick<QuerySession, 'context'>): boolean {
  const flags = message.channelId === null ? [] : flagsOf(message, context);
  return flags.includes('mentioned') || flags.includes('wildcard_mentioned');
}

/**
 * The messages of a topic shortly before a mention, as far as the reader may see them, in rising order of
 * ids. Messages of muted people are left out, and the number is limited for each topic and mention.
 *
 * @param shown the messages that the e-mail shows; `messages`: all that it is about. No message is repeated
 */
export async function messagesBeforeMentions(
  session: QuerySession,
  { shown, messages }: Readonly<Record<'shown' | 'messages', readonly MessageDocument[]>>,
  slice: TimeSlice,
): Promise<readonly MessageDocument[]> {
  const known = new Set(messages.map(({ _id }) => _id));
  const found: MessageDocument[] = [];
  for (const mention of shown.filter((message) => isMention(message, session))) {
    if (slice.isOver) await slice.next();
    const before = await messagesBefore(session, mention);
    const others = before.filter(({ _id }) => !known.has(_id)).slice(0, MAX_IN_EMAIL - found.length);
    others.forEach(({ _id }) => known.add(_id));
    found.push(...others);
    if (found.length >= MAX_IN_EMAIL) break;
  }
  return found.sort((one, other) => one._id - other._id);
}

/** Newest first. */
async function messagesBefore(
  session: QuerySession,
  { _id, channelId, topic, timestamp }: MessageDocument,
): Promise<readonly MessageDocument[]> {
  const terms: readonly Term[] = [
    { operator: 'channel', operand: channelId!, negated: false },
    { operator: 'topic', operand: topic ?? '', negated: false },
  ];
  const window = { from: 1, to: _id - 1 };
  const states = await session.search.states.find(await session.compile(terms), {
    window,
    order: -1,
    limit: MAX_BEFORE,
  });
  const documents = (await session.load(states)).map(({ document }) => document);
  const { id } = session.context.user;
  return documents.filter(
    (message) => message.timestamp >= timestamp - MAX_AGE && !message.mutedByIds.includes(id),
  );
}
