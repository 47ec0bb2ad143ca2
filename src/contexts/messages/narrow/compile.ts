import { failure } from '../../../kernel/errors.js';
import type { Filter } from '../../../stores/read-store/port.js';
import { intersection, rangesOf, type IdRanges } from '../flags/id-ranges.js';
import type { CompiledNarrow, NarrowContext, NarrowTexts, Source } from './compiled-narrow.js';
import { conversationOf, channelOf, senderOf, participantOf } from './operands.js';
import { indexedConditionOf } from './index-scans.js';
import { isAboutPersonal, isCondition, unreadRanges, unreadTests } from './personal-terms.js';
import { admits, placeRule, sourcesWithin } from './places.js';
import { channelSources, personalChannelSources, personalSources } from './sources.js';
import type { Operand, Term } from './terms.js';
import { isVague, joinQueries, parseTextQuery, type TextQuery } from '../text-search/text-query.js';

/**
 * Compiles a narrow for a person. Without a channel term, or with one whose history the person may not read,
 * only messages that they received are searched.
 *
 * @throws ApplicationError `badNarrow` for an operand that names nothing and for terms that contradict each
 * other
 */
export function compileNarrow(terms: readonly Term[], context: NarrowContext): CompiledNarrow {
  refuseContradictions(terms);
  const conditions = terms.flatMap((term) => conditionOf(term, context));
  const rule = placeRule(terms, context);
  const texts = textsOf(terms);
  const sources = seeksNothing(texts) ? [] : sourcesOf(terms, context);
  return {
    texts,
    sources: sources.flatMap((source) => sourcesWithin(source, rule)),
    conditions,
    indexed: terms
      .filter(isPositive)
      .flatMap((term) => indexedConditionOf(term, positiveCondition(term, context), context.user.id) ?? []),
    within: unreadRanges(terms, context),
    listed: listedIds(terms, context),
    tests: unreadTests(terms, context),
  };
}

/**
 * Compiles a narrow for messages that are named by their ids: it matches any of them that the person may see,
 * received or not. A narrow about the person's own messages still matches only those.
 */
export function compileNarrowOfNamed(terms: readonly Term[], context: NarrowContext): CompiledNarrow {
  const narrow = compileNarrow(terms, context);
  if (terms.some(isAboutPersonal) || seeksNothing(narrow.texts)) return narrow;
  const rule = placeRule(terms, context);
  return { ...narrow, sources: [anywhere], tests: [...narrow.tests, (message) => admits(rule, message)] };
}

/** A search for stop words only finds nothing. */
function seeksNothing({ sought }: NarrowTexts): boolean {
  return sought !== null && isVague(sought);
}

const anywhere: Source = { filter: {}, channelIds: null, after: 0, through: null, arrivals: null };

/** Ids of the only messages that a narrow can match, if it has a term `id` or `is:starred`; null: it has none. */
function listedIds(terms: readonly Term[], { flags }: NarrowContext): IdRanges | null {
  const lists = terms.filter(isPositive).flatMap(({ operator, operand }): IdRanges[] => {
    if (operator === 'id') return [rangesOf([messageIdOf(operand)])];
    return operator === 'is' && operand === 'starred' ? [flags.starred] : [];
  });
  return lists.length === 0 ? null : lists.reduce(intersection);
}

/** What a narrow searches for in texts, and what it excludes. */
export function textsOf(terms: readonly Term[]): NarrowTexts {
  const searches = terms.filter(({ operator }) => operator === 'search');
  const queries = (among: readonly Term[]): TextQuery[] =>
    among.map(({ operand }) => parseTextQuery(String(operand)));
  const sought = queries(searches.filter(isPositive));
  return {
    sought: sought.length === 0 ? null : joinQueries(sought),
    unwanted: queries(searches.filter(({ negated }) => negated)),
  };
}

function refuseContradictions(terms: readonly Term[]): void {
  const aboutChannels = terms.filter(({ operator }) => operator === 'channel' || operator === 'channels');
  const aboutDirect = terms.filter(isDirectTerm);
  const contradicts =
    (aboutChannels.some(isPositive) && aboutDirect.length > 0) ||
    (aboutDirect.some(isPositive) && aboutChannels.length > 0);
  if (contradicts) {
    throw failure('badNarrow', { desc: 'No message can be both a channel message and direct message' });
  }
}

function isPositive(term: Term): boolean {
  return !term.negated;
}

function isDirectTerm({ operator, operand }: Term): boolean {
  if (operator === 'is') return operand === 'dm' || operand === 'private';
  return operator === 'dm' || operator === 'dm-including' || operator === 'group-pm-with';
}

function sourcesOf(terms: readonly Term[], context: NarrowContext): readonly Source[] {
  const positive = terms.filter(isPositive);
  const named = new Set(
    positive.filter(({ operator }) => operator === 'channel').map((term) => channelOf(term, context).id),
  );
  if (named.size > 1) return [];
  const [channelId] = named;
  const ownOnly = terms.some(isAboutPersonal);
  if (channelId !== undefined) return sourcesOfChannels([channelId], context, ownOnly);
  if (positive.some(({ operator, operand }) => operator === 'channels' && operand !== 'archived')) {
    const channelIds = [...context.snapshot.directory.channels()]
      .filter((channel) => matchesGroupOfChannels(positive, channel.privacy))
      .map(({ id }) => id);
    return sourcesOfChannels(channelIds, context, ownOnly);
  }
  return personalSources(context, { directOnly: positive.some(isDirectTerm) });
}

function sourcesOfChannels(
  channelIds: readonly number[],
  context: NarrowContext,
  ownOnly: boolean,
): readonly Source[] {
  if (!ownOnly) return channelIds.flatMap((id) => channelSources(context, id));
  const channels = channelIds.flatMap((id) => context.snapshot.directory.channel(id) ?? []);
  return personalChannelSources(context, channels);
}

function matchesGroupOfChannels(
  terms: readonly Term[],
  privacy: { readonly inviteOnly: boolean; readonly isWebPublic: boolean },
): boolean {
  return terms.every(({ operator, operand }) => {
    if (operator !== 'channels') return true;
    return operand === 'web-public' ? privacy.isWebPublic : !privacy.inviteOnly;
  });
}

/**
 * The conditions of a term. Every operand is looked up, so that wrong ones are refused, even where the
 * sources already express the term.
 */
function conditionOf(term: Term, context: NarrowContext): readonly Filter[] {
  const condition = positiveCondition(term, context);
  if (condition === null) return [];
  if (!term.negated) return isListed(term) ? [] : [condition];
  // Negated one by one, so that an index can serve some of them.
  return [{ $nor: isAlternative(condition) ? condition.$or : [condition] }];
}

function isAlternative(condition: Filter): condition is Filter & Required<Pick<Filter, '$or'>> {
  return condition.$or !== undefined && Object.keys(condition).length === 1;
}

/** Null: the term restricts only where a message lies. */
function positiveCondition(term: Term, context: NarrowContext): Filter | null {
  const { operator, operand } = term;
  switch (operator) {
    case 'dm':
      return { conversation: conversationOf(term, context) };
    case 'dm-including':
      return { $and: participantOf(term, context).map((id) => ({ participantIds: id })) };
    case 'group-pm-with':
      return {
        $and: [
          { isGroupConversation: true },
          ...participantOf(term, context).map((id) => ({ participantIds: id })),
        ],
      };
    case 'sender':
      return { senderId: senderOf(term, context).id };
    case 'id':
      return { _id: messageIdOf(operand) };
    case 'has':
      return hasCondition(operand);
    case 'is':
      return isCondition(operand, context);
    case 'mentions': {
      const { id } = senderOf(term, context);
      return { mentionedIds: id, 'mentions.userIds': id };
    }
    case 'channel':
    case 'channels':
    case 'topic':
    case 'in':
    case 'near':
    case 'with':
    case 'search':
      return null;
  }
}

/** Whether a term's messages are listed by id, and so looked up directly. */
function isListed({ operator, operand }: Term): boolean {
  return operator === 'id' || (operator === 'is' && operand === 'starred');
}

function messageIdOf(operand: Operand): number {
  const id = typeof operand === 'string' && /^\d+$/.test(operand.trim()) ? Number(operand) : operand;
  if (!Number.isSafeInteger(id)) throw failure('badNarrow', { desc: 'Invalid message ID' });
  return id as number;
}

function hasCondition(operand: Operand): Filter {
  switch (operand) {
    case 'link':
    case 'links':
      return { hasLink: true };
    case 'image':
    case 'images':
      return { hasImage: true };
    case 'attachment':
    case 'attachments':
      return { hasAttachment: true };
    case 'reaction':
    case 'reactions':
      return { hasReaction: true };
    default:
      throw failure('badNarrow', { desc: `unknown 'has' operand ${String(operand)}` });
  }
}
