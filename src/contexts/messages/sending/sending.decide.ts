import { failure } from '../../../kernel/errors.js';
import type { EventOf } from '../../../kernel/event.js';
import { composeNotice, composeText, type ComposingContext } from './compose-text.js';
import type { MessageSent, ReadOnArrival, TopicPolicy } from '../../../events/messages.js';
import { botsGiven } from '../mentions.js';
import { refuseRecipient, type SendFacts } from './recipients.js';
import { normalizeContent } from '../../../events/values/message-text.js';

/**
 * @throws ApplicationError when the text is empty, or the sender may not send there or mention whom they mention
 */
export function decideSendMessage(
  {
    content,
    readBySender,
    form,
  }: { readonly content: string; readonly readBySender: boolean; readonly form?: string | undefined },
  facts: SendFacts,
): EventOf<typeof MessageSent> {
  const text = normalizeContent(content);
  if (text === '') throw failure('messageEmpty');
  refuseRecipient(facts);
  const { snapshot, sender, recipient } = facts;
  const composed = composeText(text, facts);
  const givenToIds = botsGiven(composed.mentions, recipient, snapshot.directory);
  return {
    type: 'MessageSent',
    data: {
      senderId: sender.id,
      recipient,
      readBySender,
      ...composed,
      ...(givenToIds.length > 0 && { givenToIds: [...givenToIds] }),
      ...(form !== undefined && { form }),
    },
  };
}

/** The event with the topic policies that the message causes. */
export function withTopicPolicies(
  { type, data }: EventOf<typeof MessageSent>,
  topicWishes: readonly TopicPolicy[],
): EventOf<typeof MessageSent> {
  return { type, data: { ...data, ...(topicWishes.length > 0 && { topicWishes: [...topicWishes] }) } };
}

/** Sends a text of the server's own, whose sender is one of the server's bots. It is normalized, but never refused. */
export function decideSendNotice(
  { content, readOnArrival }: { readonly content: string; readonly readOnArrival?: ReadOnArrival },
  context: ComposingContext,
): readonly EventOf<typeof MessageSent>[] {
  const { sender, recipient } = context;
  const data = {
    senderId: sender.id,
    recipient,
    readBySender: true,
    ...(readOnArrival !== undefined && { readOnArrival }),
    ...composeNotice(normalizeContent(content), context),
  };
  return [{ type: 'MessageSent', data }];
}
