import type { Members } from './members.js';
import { topicAt } from './conversation.js';
import { soughtWords } from './texts.js';

/** A narrow to measure. */
export interface MeasuredNarrow {
  readonly what: string;
  readonly terms: readonly Term[];
  /** Whether an index answers it, so that the bounds for indexes apply. */
  readonly isIndexed: boolean;
}

interface Term {
  readonly operator: string;
  readonly operand: unknown;
  readonly negated?: true;
}

/**
 * Narrows with every operator of the grammar, and combinations that match few of many messages.
 *
 * @param middle id of a message
 */
export function measuredNarrows(
  { requester, people, channelIds, bystanders }: Members,
  middle: number,
): readonly MeasuredNarrow[] {
  const [channel, quiet] = [channelIds[0]!, channelIds[40]!];
  const [frequent, seldom] = [people[0]!.id, people[150]!.id];
  const { common, otherCommon, rare, begins, ends } = soughtWords;
  const is = (operand: string): Term => ({ operator: 'is', operand });
  const has = (operand: string): Term => ({ operator: 'has', operand });
  const search = (operand: string): Term => ({ operator: 'search', operand });
  const inChannel: Term = { operator: 'channel', operand: channel };
  const inTopic: Term = { operator: 'topic', operand: topicAt(3) };
  return [
    indexed('everything'),
    ...['dm', 'resolved', 'unread', 'starred', 'mentioned', 'alerted', 'followed', 'muted'].map((operand) =>
      indexed(`is:${operand}`, is(operand)),
    ),
    ...['link', 'image', 'attachment', 'reaction'].map((operand) => indexed(`has:${operand}`, has(operand))),
    indexed('channel', inChannel),
    indexed('channel, quiet', { operator: 'channel', operand: quiet }),
    indexed('channel and topic', inChannel, inTopic),
    indexed('channel and topic nobody wrote in', inChannel, { operator: 'topic', operand: 'nothing' }),
    indexed('channels:public', { operator: 'channels', operand: 'public' }),
    indexed('channels:archived', { operator: 'channels', operand: 'archived' }),
    indexed('sender', { operator: 'sender', operand: frequent }),
    indexed('sender, seldom', { operator: 'sender', operand: seldom }),
    indexed('sender who wrote nothing', { operator: 'sender', operand: bystanders[0].id }),
    indexed('dm', { operator: 'dm', operand: [frequent] }),
    indexed('dm-including', { operator: 'dm-including', operand: [seldom] }),
    indexed('mentions', { operator: 'mentions', operand: requester.id }),
    indexed('id', { operator: 'id', operand: middle }),
    indexed('near', inChannel, { operator: 'near', operand: String(middle) }),
    indexed('with', { operator: 'with', operand: String(middle) }),
    indexed('in:home', { operator: 'in', operand: 'home' }),
    indexed('sender in a channel', inChannel, { operator: 'sender', operand: seldom }),
    indexed('sender who wrote nothing, in a channel', inChannel, {
      operator: 'sender',
      operand: bystanders[0].id,
    }),
    indexed('is:mentioned in a channel', inChannel, is('mentioned')),
    indexed('is:mentioned has:reaction', is('mentioned'), has('reaction')),
    indexed('has:image has:reaction', has('image'), has('reaction')),
    indexed('has:attachment by a sender', has('attachment'), { operator: 'sender', operand: seldom }),
    indexed('is:unread in a topic', inChannel, inTopic, is('unread')),
    indexed('search: a rare word', search(rare)),
    indexed('search: a word nobody wrote', search('absquatulate')),
    indexed('search: a common word', search(common)),
    indexed('search: two common words', search(`${common} ${otherCommon}`)),
    indexed('search: a rare word and a common one', search(`${rare} ${common}`)),
    indexed('search: a phrase', search(`"${common} ${otherCommon}"`)),
    indexed('search: a phrase nobody wrote', search(`"${begins} ${ends}"`)),
    indexed('search: a rare word in a channel', inChannel, search(rare)),
    scanned('search: not a common word', { ...search(common), negated: true }),
    scanned(
      'search: neither of two common words',
      { ...search(`${common} ${otherCommon}`), negated: true },
      has('image'),
    ),
    scanned('not has:link', { ...has('link'), negated: true }),
    scanned('not is:mentioned', { ...is('mentioned'), negated: true }),
    scanned('not in a channel', { ...inChannel, negated: true }),
  ];
}

function indexed(what: string, ...terms: readonly Term[]): MeasuredNarrow {
  return { what, terms, isIndexed: true };
}

function scanned(what: string, ...terms: readonly Term[]): MeasuredNarrow {
  return { what, terms, isIndexed: false };
}
