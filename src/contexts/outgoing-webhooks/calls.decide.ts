import type { OwnerOf } from '../../access/account-owners.js';
import type { Directory } from '../../access/directory.js';
import { botTypes } from '../../access/people-permissions.js';
import type { MessageSent } from '../../events/messages.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { budgets } from '../../kernel/budgets.js';
import type { EventOf } from '../../kernel/event.js';
import { composeText, type ComposingContext } from '../messages/sending/compose-text.js';
import { openCall, type Call, type Calls } from './calls.state.js';

type RequestedData = Extract<OutgoingWebhookEvent, { type: 'OutgoingWebhookRequested' }>['data'];

/** A message for bots. */
interface Demand extends Pick<RequestedData, 'messageId' | 'trigger'> {
  readonly botIds: readonly number[];
}

/**
 * Requests a call to each of the bots. A bot with too many open calls gets no more until it has caught up, and neither
 * do the bots of an owner who has too many.
 */
export function decideCalls(
  calls: Calls,
  { botIds, ...asked }: Demand,
  ownerOf: OwnerOf,
): readonly OutgoingWebhookEvent[] {
  const openOfOwner = countsByOwner(calls, ownerOf);
  return botIds.map((botId): OutgoingWebhookEvent => {
    const ownerId = ownerOf(botId);
    const ofOwner = openOfOwner.get(ownerId) ?? 0;
    const reason = refusal(calls.get(botId)?.length ?? 0, ofOwner);
    if (reason !== null) {
      return { type: 'OutgoingWebhookFailed', data: { messageId: asked.messageId, botId, reason } };
    }
    openOfOwner.set(ownerId, ofOwner + 1);
    return { type: 'OutgoingWebhookRequested', data: { ...asked, botId } };
  });
}

/** Null: another call may be requested. */
function refusal(ofBot: number, ofOwner: number): string | null {
  if (ofBot >= budgets.outgoingWebhookCalls.max) return 'too many requests wait for an answer';
  if (ofOwner >= budgets.outgoingWebhookCallsOfOwner.max) {
    return 'too many requests of bots of the same owner wait for an answer';
  }
  return null;
}

function countsByOwner(calls: Calls, ownerOf: OwnerOf): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [botId, { length }] of calls.entries()) {
    const ownerId = ownerOf(botId);
    counts.set(ownerId, (counts.get(ownerId) ?? 0) + length);
  }
  return counts;
}

/** Ids of the outgoing webhook bots that a message is for, in rising order. */
export function webhookBotsIn(
  {
    senderId,
    recipient,
    mentions,
  }: Pick<EventOf<typeof MessageSent>['data'], 'senderId' | 'recipient' | 'mentions'>,
  directory: Pick<Directory, 'user'>,
): readonly number[] {
  if (directory.user(senderId)?.bot !== null) return [];
  const ids = recipient.type === 'direct' ? recipient.userIds : mentions.userIds;
  return ids.filter((id) => {
    const user = directory.user(id);
    if (user?.isActive !== true || user.bot?.type !== botTypes.outgoingWebhook) return false;
    return (user.bot.service?.baseUrl ?? '') !== '';
  });
}

/**
 * Sends what a bot answered. The person who wrote to the bot let it into the conversation, so its own access is not
 * checked.
 *
 * @throws ApplicationError for a text that the bot may not send, see {@link composeText}
 */
export function decideSendReply(
  { content, form }: { readonly content: string; readonly form: string | null },
  context: ComposingContext,
): readonly EventOf<typeof MessageSent>[] {
  const { sender, recipient } = context;
  const data = {
    senderId: sender.id,
    recipient,
    readBySender: false,
    ...composeText(content, context),
    ...(form !== null && { form }),
  };
  return [{ type: 'MessageSent', data }];
}

/** What comes of sending a call. */
export type CallOutcome =
  | { readonly type: 'OutgoingWebhookAnswered' | 'OutgoingWebhookUnanswered' }
  | { readonly type: 'OutgoingWebhookFailed'; readonly reason: string };

/** Records the outcome of a call, unless another process has finished the call meanwhile. */
export function decideFinishCall(
  calls: Calls,
  call: Call,
  outcome: CallOutcome,
): readonly OutgoingWebhookEvent[] {
  if (openCall(calls, call)?.id !== call.id) return [];
  const { messageId, botId } = call;
  return outcome.type === 'OutgoingWebhookFailed'
    ? [{ type: outcome.type, data: { messageId, botId, reason: outcome.reason } }]
    : [{ type: outcome.type, data: { messageId, botId } }];
}
