import type { Directory } from '../../access/directory.js';
import { botTypes } from '../../access/people-permissions.js';
import type { MessageSent } from '../../events/messages.js';
import type { OutgoingWebhookEvent } from '../../events/outgoing-webhooks.js';
import { budgets } from '../../kernel/budgets.js';
import type { EventOf } from '../../kernel/event.js';
import type { Calls } from './calls.state.js';

/** A bot with too many open calls gets no more until it has caught up. */
export function decideCall(
  calls: Calls,
  { messageId, botId, trigger }: Extract<OutgoingWebhookEvent, { type: 'OutgoingWebhookRequested' }>['data'],
): OutgoingWebhookEvent {
  const waiting = [...calls.entries()].filter(([, call]) => call.botId === botId).length;
  return waiting < budgets.outgoingWebhookCalls.max
    ? { type: 'OutgoingWebhookRequested', data: { messageId, botId, trigger } }
    : {
        type: 'OutgoingWebhookFailed',
        data: { messageId, botId, reason: 'too many requests wait for an answer' },
      };
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
