import { stream } from '../../kernel/decision.js';
import {
  outgoingWebhooksStream,
  type OutgoingWebhookEvent,
  type webhookTriggers,
} from '../../events/outgoing-webhooks.js';
import type { Fold } from '../../kernel/decider.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';

/** A message that is to be sent to a bot's URL. */
export interface Call {
  /** Id of the event that requested it: the same for every attempt. */
  readonly id: string;
  readonly messageId: number;
  readonly botId: number;
  readonly trigger: (typeof webhookTriggers)[number];
  /** How many attempts got no response. */
  readonly unanswered: number;
  /** Milliseconds since the UNIX epoch. */
  readonly requestedAt: number;
  /** Time before which it is not sent again, in milliseconds since the UNIX epoch. */
  readonly notBefore: number;
}

/** How often a call without a response is retried. */
export const maxRetries = 3;

/** Milliseconds before the first retry; each pause is twice the one before. */
const firstPause = 1_000;

/** Open calls, by {@link callKey}. */
export type Calls = PersistentMap<string, Call>;

/** The key of a call. */
export function callKey({ messageId, botId }: Pick<Call, 'messageId' | 'botId'>): string {
  return `${messageId}:${botId}`;
}

/** Folds the stream of calls. */
export const callsFold: Fold<Calls, RecordedEvent<OutgoingWebhookEvent>> = {
  snapshot: { name: 'outgoing-webhooks', version: 1 },
  initial: PersistentMap.empty(),
  evolve(calls, { id, type, data, metadata: { at } }) {
    const key = callKey(data);
    switch (type) {
      case 'OutgoingWebhookRequested':
        return calls.set(key, { id, ...data, unanswered: 0, requestedAt: at, notBefore: at });
      case 'OutgoingWebhookUnanswered': {
        const call = calls.get(key);
        if (call === undefined) return calls;
        const notBefore = at + firstPause * 2 ** call.unanswered;
        return calls.set(key, { ...call, unanswered: call.unanswered + 1, notBefore });
      }
      case 'OutgoingWebhookAnswered':
      case 'OutgoingWebhookFailed':
        return calls.delete(key);
    }
  },
};

/** The stream of the calls, for decisions about them. */
export const foldedCalls = stream(outgoingWebhooksStream, callsFold);

/** Calls that may be sent now, oldest first. */
export function dueCalls(calls: Calls, now: number): readonly Call[] {
  return [...calls.entries()]
    .map(([, call]) => call)
    .filter(({ notBefore }) => notBefore <= now)
    .sort((one, other) => one.messageId - other.messageId || one.botId - other.botId);
}
