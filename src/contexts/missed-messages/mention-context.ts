import type { MessageDocument } from '../messages/message-document.js';
import type { Term } from '../messages/narrow/terms.js';
import type { QuerySession } from '../messages/query-session.js';
import { flagsOf } from '../messages/view/flags.js';

/** The most messages that are shown before one mention. */
const MAX_BEFORE = 5;

/** The most of them in one e-mail: it may be about a hundred mentions. */
const MAX_IN_EMAIL = 50;

/** Seconds: what was said longer before a mention is hardly what it is about. */
const MAX_AGE = 15 * 60;

/** Whether a message of a channel means somebody, by name or with a wildcard, and reached them. */
export function isMention(message: MessageDocument, { context }: Pick<QuerySession, 'context'>): boolean {
  const flags = message.channelId === null ? [] : flagsOf(message, context);
  return flags.includes('mentioned') || flags.includes('wildcard_mentioned');
}

/**
 * What was said in a topic shortly before it came to a mention, as far as the reader may see it, rising by id. Of muted people there is
 * nothing, and of each topic and mention few messages.
 *
 * @param shown what the e-mail shows; `messages`: all that it is about, of which none comes twice
 */
export async function messagesBeforeMentions(
  session: QuerySession,
  { shown, messages }: Readonly<Record<'shown' | 'messages', readonly MessageDocument[]>>,
): Promise<readonly MessageDocument[]> {
  const known = new Set(messages.map(({ _id }) => _id));
  const found: MessageDocument[] = [];
  for (const mention of shown.filter((message) => isMention(message, session))) {
    const before = await messagesBefore(session, mention);
    const others = before.filter(({ _id }) => !known.has(_id)).slice(0, MAX_IN_EMAIL - found.length);
    others.forEach(({ _id }) => known.add(_id));
    found.push(...others);
    if (found.length >= MAX_IN_EMAIL) break;
  }
  return found.sort((one, other) => one._id - other._id);
}

/** The newest first. */
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
