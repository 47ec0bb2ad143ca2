import type { ClientCapabilities } from './client-capabilities.js';
import type { NarrowFilter } from './narrow-filter.js';

/** The presence that a client requests when it registers. */
export interface RequestedPresence {
  /** By account id and with two times, rather than by address and client program. */
  readonly isSlim: boolean;
  /** Only what changed after this update; null: everything. */
  readonly afterUpdateId: number | null;
  /** How many days back; null: as far as presence is kept. */
  readonly days: number | null;
}

/** Which events a client wants, and in which form. */
export interface QueueOptions {
  /** HTML rather than raw Markdown. */
  readonly applyMarkdown: boolean;
  /** Omit avatar URLs that the client can compute from the e-mail address. */
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** The presence in the initial state. */
  readonly presence: RequestedPresence;
  /** Whether subscriptions and channels include their subscribers. */
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  /** Also messages of public channels that the person is not subscribed to. */
  readonly allPublicChannels: boolean;
  /** Null: every type. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** Filters messages; other events pass. */
  readonly narrow: NarrowFilter;
  readonly capabilities: ClientCapabilities;
  /** Whether the client that registered knows only older names: see {@link inOlderNames}. */
  readonly usesOlderNames: boolean;
  /** How long the queue lives without being polled, in seconds. */
  readonly idleSeconds: number;
  /** Memory that the options take while the queue lives. */
  readonly bytes: number;
}

/** Answers a long poll when nothing happens, whatever event types the client wants. */
export const HEARTBEAT = 'heartbeat';

/** Whether a queue gets events of a type. */
export function wants({ eventTypes }: Pick<QueueOptions, 'eventTypes'>, type: string): boolean {
  return eventTypes === null || eventTypes.has(type);
}

/** Whether a client knows the empty topic, as {@link shownTopic} needs it. */
export function topicFormat({ capabilities }: Pick<QueueOptions, 'capabilities'>): {
  readonly allowEmptyTopicName: boolean;
} {
  return { allowEmptyTopicName: capabilities.empty_topic_name };
}
