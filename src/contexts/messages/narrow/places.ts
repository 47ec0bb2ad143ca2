import { visibilityPolicies, type VisibilityPolicy } from '../../../events/attention.js';
import { isSubscribed } from '../../../access/records/subscription.js';
import { failure } from '../../../kernel/errors.js';
import { isPrintable } from '../../../kernel/text.js';
import { fitTopic, standardTopic, topicKey } from '../../../events/values/message-text.js';
import type { NarrowContext, Source } from './compiled-narrow.js';
import { channelOf } from './operands.js';
import type { Operand, Term } from './terms.js';

/** A channel, by its id, or direct messages, which have no topics. */
type Place = number | 'direct';

/** Topics of a place by their keys: only these, or all but these. */
interface Topics {
  readonly kind: 'only' | 'all but';
  readonly keys: ReadonlySet<string>;
}

/** Says which topics of each place may match. */
type PlaceRule = (place: Place) => Topics;

const none: Topics = { kind: 'only', keys: new Set() };
const all: Topics = { kind: 'all but', keys: new Set() };

/** Combines the rules about places from all the terms of a narrow. */
export function placeRule(terms: readonly Term[], context: NarrowContext): PlaceRule {
  const namesChannel = terms.some(({ operator, negated }) => operator === 'channel' && !negated);
  const rules = terms.flatMap((term) => {
    const rule = ruleOf(term, context, namesChannel);
    if (rule === null) return [];
    return [term.negated ? (place: Place): Topics => complement(rule(place)) : rule];
  });
  return (place) => rules.reduce((topics, rule) => intersection(topics, rule(place)), all);
}

/** Whether a rule allows the place of a message. */
export function admits(
  rule: PlaceRule,
  { channelId, topicKey: key }: { readonly channelId: number | null; readonly topicKey: string | null },
): boolean {
  const { kind, keys } = rule(channelId ?? 'direct');
  return keys.has(key ?? '') === (kind === 'only');
}

/** Restricts a source to what a rule allows; channels with the same allowed topics stay in one source. */
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

/** The rule of a term, as if it were not negated; null: it says nothing about places. */
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
    // Direct messages have no topic that could be resolved; in channels the message itself has a condition.
    case 'resolved':
      return negated ? null : (place) => (place === 'direct' ? none : all);
    default:
      return null;
  }
}

/** A narrow that names a channel also searches it if it is muted, except for its muted topics. */
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

/** A name that no topic can have matches no message. */
function inTopic(operand: string): PlaceRule {
  const topic = standardTopic(operand);
  if (!isPrintable(topic)) return () => none;
  const named: Topics = { kind: 'only', keys: new Set([topicKey(fitTopic(topic))]) };
  return (place) => (place === 'direct' ? none : named);
}

/**
 * Topics that the person muted, and muted channels except for the topics in them that they unmuted or follow.
 */
function mutedRule(context: NarrowContext, withChannels = true): PlaceRule {
  const { snapshot, user } = context;
  const channelIds = new Set<number>();
  for (const subscription of snapshot.directory.subscriptionsOfUser(user.id)) {
    if (subscription.isMuted && isSubscribed(subscription)) channelIds.add(subscription.channelId);
  }
  const visible = topicsWith([visibilityPolicies.unmuted, visibilityPolicies.followed], context);
  const muted = topicsWith([visibilityPolicies.muted], context);
  return (place) => {
    if (place === 'direct') return none;
    return withChannels && channelIds.has(place)
      ? { kind: 'all but', keys: keysIn(visible, place) }
      : { kind: 'only', keys: keysIn(muted, place) };
  };
}

type KeysByChannel = ReadonlyMap<number, ReadonlySet<string>>;

function keysIn(topics: KeysByChannel, channelId: number): ReadonlySet<string> {
  return topics.get(channelId) ?? none.keys;
}

/** The topics for which the person has one of these visibility policies. */
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
