import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import { failure } from '../../../kernel/errors.js';
import { fitTopic, isPrintable, standardTopic, topicKey } from '../../../events/values/message-text.js';
import type { NarrowContext, Source } from './compiled-narrow.js';
import { channelOf } from './operands.js';
import type { Operand, Term } from './terms.js';

/** Where a message lies: a channel, by its id, or direct messages, which have no topics. */
export type Place = number | 'direct';

/** Topics of a place by their keys: only these, or all but these. */
export interface Topics {
  readonly kind: 'only' | 'all but';
  readonly keys: ReadonlySet<string>;
}

/** What somebody looks for in each place. */
export type PlaceRule = (place: Place) => Topics;

const none: Topics = { kind: 'only', keys: new Set() };
const all: Topics = { kind: 'all but', keys: new Set() };

/** All the rules that the terms of a narrow make about places, as one. */
export function placeRule(terms: readonly Term[], context: NarrowContext): PlaceRule {
  const namesChannel = terms.some(({ operator, negated }) => operator === 'channel' && !negated);
  const rules = terms.flatMap((term) => {
    const rule = ruleOf(term, context, namesChannel);
    if (rule === null) return [];
    return [term.negated ? (place: Place): Topics => complement(rule(place)) : rule];
  });
  return (place) => rules.reduce((topics, rule) => intersection(topics, rule(place)), all);
}

/** Whether a rule lets a message through. */
export function admits(
  rule: PlaceRule,
  { channelId, topicKey: key }: { readonly channelId: number | null; readonly topicKey: string | null },
): boolean {
  const { kind, keys } = rule(channelId ?? 'direct');
  return keys.has(key ?? '') === (kind === 'only');
}

/** What of a source a rule lets through: its channels in groups of which the same topics are wanted. */
export function sourcesWithin(source: Source, rule: PlaceRule): readonly Source[] {
  const { channelIds } = source;
  if (channelIds === null) return isNone(rule('direct')) ? [] : [source];
  const groups = new Map<string, { readonly topics: Topics; readonly channelIds: number[] }>();
  for (const channelId of channelIds) {
    const topics = rule(channelId);
    if (isNone(topics)) continue;
    const name = JSON.stringify([topics.kind, ...topics.keys]);
    const group = groups.get(name) ?? { topics, channelIds: [] };
    groups.set(name, group);
    group.channelIds.push(channelId);
  }
  return [...groups.values()].map(({ topics, channelIds: ids }) => ({
    ...source,
    channelIds: ids,
    filter: { ...source.filter, ...topicFilter(topics) },
  }));
}

function topicFilter({ kind, keys }: Topics): Source['filter'] {
  const [first, second] = keys;
  if (kind === 'all but') return first === undefined ? {} : { topicKey: { $nin: [...keys] } };
  return { topicKey: second === undefined ? first : { $in: [...keys] } };
}

function isNone({ kind, keys }: Topics): boolean {
  return kind === 'only' && keys.size === 0;
}

function complement({ kind, keys }: Topics): Topics {
  return { kind: kind === 'only' ? 'all but' : 'only', keys };
}

function intersection(left: Topics, right: Topics): Topics {
  if (left.kind === 'only')
    return {
      kind: 'only',
      keys: filtered(left.keys, (key) => right.keys.has(key) === (right.kind === 'only')),
    };
  if (right.kind === 'only') return intersection(right, left);
  return { kind: 'all but', keys: new Set([...left.keys, ...right.keys]) };
}

function filtered(keys: ReadonlySet<string>, keep: (key: string) => boolean): ReadonlySet<string> {
  return new Set([...keys].filter(keep));
}

/** What a term asks of places, were it not negated; null: nothing. */
function ruleOf(term: Term, context: NarrowContext, namesChannel: boolean): PlaceRule | null {
  const { operator, operand } = term;
  switch (operator) {
    case 'channel':
      return inChannels(new Set([channelOf(term, context).id]));
    case 'channels':
      return inChannels(groupOfChannels(operand, context));
    case 'topic':
      return inTopic(String(operand));
    case 'is':
      return personalRule(term, context);
    case 'in':
      return inRule(operand, context, namesChannel);
    default:
      return null;
  }
}

function personalRule({ operand, negated }: Term, context: NarrowContext): PlaceRule | null {
  switch (operand) {
    case 'dm':
    case 'private':
      return (place) => (place === 'direct' ? all : none);
    case 'followed': {
      const followed = topicsWith([visibilityPolicies.followed], context);
      return (place) => (place === 'direct' ? none : { kind: 'only', keys: keysIn(followed, place) });
    }
    case 'muted':
      return mutedRule(context);
    // Direct messages have no topic that could be resolved; what lies in a channel is asked of the message.
    case 'resolved':
      return negated ? null : (place) => (place === 'direct' ? none : all);
    default:
      return null;
  }
}

/** A narrow that names a channel looks into it though it is muted, but not into its muted topics. */
function inRule(operand: Operand, context: NarrowContext, namesChannel: boolean): PlaceRule {
  switch (operand) {
    case 'home': {
      const muted = mutedRule(context, !namesChannel);
      return (place) => complement(muted(place));
    }
    case 'all':
      return () => all;
    default:
      throw failure('badNarrow', { desc: `unknown 'in' operand ${String(operand)}` });
  }
}

function inChannels(channelIds: ReadonlySet<number>): PlaceRule {
  return (place) => (place !== 'direct' && channelIds.has(place) ? all : none);
}

/** No topic has a name that none may have. */
function inTopic(operand: string): PlaceRule {
  const topic = standardTopic(operand);
  if (!isPrintable(topic)) return () => none;
  const named: Topics = { kind: 'only', keys: new Set([topicKey(fitTopic(topic))]) };
  return (place) => (place === 'direct' ? none : named);
}

/** Topics that the person muted, and muted channels but for the topics in them that they unmuted or follow. */
function mutedRule(context: NarrowContext, withChannels = true): PlaceRule {
  const { snapshot, user } = context;
  const channelIds = new Set<number>();
  for (const subscription of snapshot.directory.subscriptionsOfUser(user.id)) {
    if (subscription.isMuted && isSubscribed(subscription)) channelIds.add(subscription.channelId);
  }
  const heard = topicsWith([visibilityPolicies.unmuted, visibilityPolicies.followed], context);
  const muted = topicsWith([visibilityPolicies.muted], context);
  return (place) => {
    if (place === 'direct') return none;
    return withChannels && channelIds.has(place)
      ? { kind: 'all but', keys: keysIn(heard, place) }
      : { kind: 'only', keys: keysIn(muted, place) };
  };
}

type KeysByChannel = ReadonlyMap<number, ReadonlySet<string>>;

function keysIn(topics: KeysByChannel, channelId: number): ReadonlySet<string> {
  return topics.get(channelId) ?? none.keys;
}

/** The topics for which the person chose one of these policies. */
function topicsWith(policies: readonly VisibilityPolicy[], { attention }: NarrowContext): KeysByChannel {
  const keysByChannel = new Map<number, Set<string>>();
  for (const { channelId, topicKey: key, policy } of attention.topics) {
    if (!policies.includes(policy)) continue;
    const keys = keysByChannel.get(channelId);
    if (keys === undefined) keysByChannel.set(channelId, new Set([key]));
    else keys.add(key);
  }
  return keysByChannel;
}

function groupOfChannels(operand: Operand, { snapshot }: NarrowContext): ReadonlySet<number> {
  const channels = [...snapshot.directory.channels()];
  const ids = (matching: typeof channels): ReadonlySet<number> => new Set(matching.map(({ id }) => id));
  switch (operand) {
    case 'public':
      return ids(channels.filter(({ privacy }) => !privacy.inviteOnly));
    case 'web-public':
      return ids(channels.filter(({ privacy }) => privacy.isWebPublic));
    case 'archived':
      return ids(channels.filter(({ isArchived }) => isArchived));
    default:
      throw failure('badNarrow', { desc: `unknown channels operand ${String(operand)}` });
  }
}
