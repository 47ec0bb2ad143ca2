import { personalStream } from '../../events/personal.js';
import { streamsOf } from '../../kernel/decision.js';
import type { Fold } from '../../kernel/fold.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { foldCase } from '../../kernel/text.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { visibilityPolicies, type AttentionEvent, type VisibilityPolicy } from '../../events/attention.js';

/** A person's visibility policy for one topic. */
type TopicVisibility = {
  readonly channelId: number;
  readonly topic: string;
  /** Topics are compared by this key. */
  readonly topicKey: string;
  readonly policy: VisibilityPolicy;
  /** Milliseconds since the UNIX epoch. */
  readonly changedAt: number;
};

/** A person's topic visibility policies, muted people and alert words. */
export type Attention = {
  /** Policies in the order in which they were set. */
  readonly topics: readonly TopicVisibility[];
  readonly mutedPeople: readonly {
    readonly userId: number;
    /** Milliseconds since the UNIX epoch. */
    readonly since: number;
  }[];
  /** In the order in which they were added. */
  readonly alertWords: readonly string[];
};

/** The initial state: nothing set. */
export const noAttention: Attention = { topics: [], mutedPeople: [], alertWords: [] };

/** The stream has other events too, which are ignored. */
export const attentionFold: Fold<Attention, RecordedEvent<AttentionEvent>> = {
  snapshot: { name: 'attention', version: 1 },
  initial: noAttention,
  evolve: evolveAttention,
};

/** A person's attention settings, for decisions about them. */
export const attentionOf = streamsOf(personalStream, attentionFold);

/** A person's attention settings, with the changes that other events caused. */
export interface AutomaticAttention {
  readonly attention: Attention;
  /** Ids of the events that caused changes. */
  readonly completed: PersistentMap<string, true>;
}

/** Like {@link attentionFold}, for changes that other events cause, which must happen once. */
export const automaticAttentionFold: Fold<AutomaticAttention, RecordedEvent<AttentionEvent>> = {
  snapshot: { name: 'automatic-attention', version: 1 },
  initial: { attention: noAttention, completed: PersistentMap.empty() },
  evolve: ({ attention, completed }, event) => {
    const { causationId } = event.metadata;
    return {
      attention: evolveAttention(attention, event),
      completed: causationId === null ? completed : completed.set(causationId, true),
    };
  },
};

/** The stream of {@link automaticAttentionFold}. */
export const automaticAttentionOf = streamsOf(personalStream, automaticAttentionFold);

/** Applies an event to a person's attention settings. Pure. */
export function evolveAttention(attention: Attention, event: RecordedEvent<AttentionEvent>): Attention {
  const { topics, mutedPeople, alertWords } = attention;
  switch (event.type) {
    case 'TopicVisibilityChanged': {
      const { channelId, topic, policy } = event.data;
      const others = topics.filter((one) => !isTopic(one, channelId, topic));
      const changed = { channelId, topic, topicKey: foldCase(topic), policy, changedAt: event.metadata.at };
      return { ...attention, topics: policy === visibilityPolicies.none ? others : [...others, changed] };
    }
    case 'PersonMuted': {
      const muted = { userId: event.data.mutedUserId, since: event.metadata.at };
      return { ...attention, mutedPeople: [...mutedPeople, muted] };
    }
    case 'PersonUnmuted': {
      const left = mutedPeople.filter(({ userId }) => userId !== event.data.mutedUserId);
      return { ...attention, mutedPeople: left };
    }
    case 'AlertWordsAdded':
      return { ...attention, alertWords: [...alertWords, ...event.data.words] };
    case 'AlertWordsRemoved': {
      const removed = new Set(event.data.words.map(foldCase));
      return { ...attention, alertWords: alertWords.filter((word) => !removed.has(foldCase(word))) };
    }
    default:
      return attention;
  }
}

/** Whether a policy is for this topic, ignoring case. */
export function isTopic(setting: TopicVisibility, channelId: number, topic: string): boolean {
  return setting.channelId === channelId && setting.topicKey === foldCase(topic);
}
