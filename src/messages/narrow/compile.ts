import { failure } from '../../kernel/errors.js';
import type { Filter } from '../../read-store/port.js';
import type { CompiledNarrow, NarrowContext, NarrowTexts, Source } from './compiled-narrow.js';
import { conversationOf, channelOf, senderOf, participantOf } from './operands.js';
import {
  inCondition,
  isAboutPersonal,
  isCondition,
  nothing,
  unreadStretches,
  unreadTests,
} from './personal-terms.js';
import { channelSources, personalChannelSources, personalSources } from './sources.js';
import type { Operand, Term } from './terms.js';
import { fitTopic, isPrintable, standardTopic, topicKey } from '../text.js';
import { isVague, joinQueries, parseTextQuery, type TextQuery } from '../text-search/text-query.js';

/**
 * Compiles a narrow (facts, section 3) for a person. Without a channel term, or with one that does not open a history,
 * only what the person received is searched.
 *
 * @throws ApplicationError `badNarrow` for an operand that names nothing and for terms that contradict each other
 */
export function compileNarrow(terms: readonly Term[], context: NarrowContext): CompiledNarrow {
  refuseContradictions(terms);
  const conditions = terms.flatMap((term) => conditionOf(term, context));
  const texts = textsOf(terms);
  return {
    texts,
    // Words that stand everywhere find nothing in particular.
    sources: texts.sought !== null && isVague(texts.sought) ? [] : sourcesOf(terms, context),
    conditions: [...conditions, ...homeConditions(terms, context)],
    within: unreadStretches(terms, context),
    tests: unreadTests(terms, context),
  };
}

/**
 * Compiles a narrow for messages that are named by their ids: of what the person may see, those of which it holds, whether or not
 * they received them. A narrow about what is their own still looks no further than that.
 */
export function compileNarrowOfNamed(terms: readonly Term[], context: NarrowContext): CompiledNarrow {
  const narrow = compileNarrow(terms, context);
  if (terms.some(isAboutPersonal) || narrow.sources.length === 0) return narrow;
  const channels = terms.filter((term) => term.operator === 'channel' && isPositive(term));
  const inChannels = channels.map((term) => ({ channelId: channelOf(term, context).id }));
  return { ...narrow, sources: [anywhere], conditions: [...inChannels, ...narrow.conditions] };
}

const anywhere: Source = { filter: {}, after: 0, through: null, arrivals: null };

/** What a narrow seeks in the text of messages, and what it leaves out. */
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
    const channelIds = [...context.moment.directory.channels()]
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
  const channels = channelIds.flatMap((id) => context.moment.directory.channel(id) ?? []);
  return personalChannelSources(context, channels);
}

/** The terms with `in`: what they mean hangs on whether another names a channel. */
function homeConditions(terms: readonly Term[], context: NarrowContext): readonly Filter[] {
  const namesChannel = terms.some(({ operator, negated }) => operator === 'channel' && !negated);
  return terms.flatMap(({ operator, operand, negated }): readonly Filter[] => {
    if (operator !== 'in') return [];
    const condition = inCondition(operand, context, namesChannel);
    if (negated) return condition === null ? [nothing] : [{ $nor: [condition] }];
    return condition === null ? [] : [condition];
  });
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

/** Looks up every operand, also of the terms that need no condition because the sources already follow them. */
function conditionOf(term: Term, context: NarrowContext): readonly Filter[] {
  const condition = positiveCondition(term, context);
  if (condition === null || (term.operator === 'channel' && !term.negated)) return [];
  return [term.negated ? { $nor: [condition] } : condition];
}

/** Null: the term restricts nothing by itself. */
function positiveCondition(term: Term, context: NarrowContext): Filter | null {
  const { operator, operand } = term;
  switch (operator) {
    case 'channel':
      return { channelId: channelOf(term, context).id };
    case 'channels':
      return { channelId: { $in: groupOfChannels(operand, context) } };
    case 'topic':
      return topicCondition(String(operand));
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
    case 'mentions':
      return { 'mentions.userIds': senderOf(term, context).id };
    case 'in':
    case 'near':
    case 'with':
    case 'search':
      return null;
  }
}

/** No topic has a name that none may have. */
function topicCondition(operand: string): Filter {
  const topic = standardTopic(operand);
  return isPrintable(topic) ? { topicKey: topicKey(fitTopic(topic)) } : nothing;
}

function groupOfChannels(operand: Operand, { moment }: NarrowContext): readonly number[] {
  const all = [...moment.directory.channels()];
  switch (operand) {
    case 'public':
      return all.filter(({ privacy }) => !privacy.inviteOnly).map(({ id }) => id);
    case 'web-public':
      return all.filter(({ privacy }) => privacy.isWebPublic).map(({ id }) => id);
    case 'archived':
      return all.filter(({ isArchived }) => isArchived).map(({ id }) => id);
    default:
      throw failure('badNarrow', { desc: `unknown channels operand ${String(operand)}` });
  }
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
