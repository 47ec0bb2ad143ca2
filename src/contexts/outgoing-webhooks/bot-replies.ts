import { Injectable } from '@nestjs/common';
import type { User } from '../../access/records/user.js';
import { MESSAGES_STREAM, type Recipient } from '../../events/messages.js';
import { normalizeContent } from '../../events/values/message-text.js';
import { Decisions } from '../../http/decisions.js';
import { commandIdOf } from '../../stores/event-store/event-id.js';
import { MessageComposer } from '../messages/sending/message-composer.js';
import { MessageReader } from '../messages/message-reader.js';
import { parseForm } from '../messages/submessages/submessage.js';
import { decideSendReply } from './calls.decide.js';
import type { Call } from './calls.state.js';

/** Sends the replies of outgoing webhook bots as messages, once for each call. */
@Injectable()
export class BotReplies {
  constructor(
    private readonly decisions: Decisions,
    private readonly composer: MessageComposer,
    private readonly messages: MessageReader,
  ) {}

  /**
   * The person who wrote to the bot let it into the conversation, so the bot's own access is not checked;
   * archived channels accept nothing.
   *
   * @throws ApplicationError for invalid buttons, see {@link parseForm}, and those of {@link decideSendReply}
   */
  async say(
    call: Pick<Call, 'id'>,
    bot: User,
    reply: { readonly to: Recipient; readonly content: string; readonly widgetContent?: string | null },
  ): Promise<void> {
    const snapshot = this.decisions.snapshot();
    const { to: recipient } = reply;
    if (recipient.type === 'channel' && snapshot.directory.channel(recipient.channelId)?.isArchived !== false)
      return;
    const content = normalizeContent(reply.content);
    if (content === '') return;
    const { widgetContent = null } = reply;
    const form = widgetContent === null ? null : parseForm(widgetContent);
    const knows = await this.messages.people.predicateFor(bot, snapshot);
    const writing = await this.composer.contextOf({ snapshot, sender: bot, recipient, knows }, content);
    const events = decideSendReply({ content, form }, writing);
    await this.decisions.append(MESSAGES_STREAM, events, {
      actorId: bot.id,
      commandId: commandIdOf(['outgoing-webhook', call.id]),
      causationId: call.id,
      client: 'OutgoingWebhook',
      at: snapshot.now,
    });
  }
}
