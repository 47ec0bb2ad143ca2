import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ConsistentLog } from '../../http/consistency.js';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { commandIdOf, randomCommandId } from '../../event-store/event-id.js';
import type { Caller } from '../../http/caller.js';
import { SystemClock } from '../../system-clock.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { EmailLookup } from '../../users/email-lookup.js';
import { composeText, type Writing } from '../compose-text.js';
import type { MessageSent } from '../events.js';
import { messagesStream } from '../message.js';
import { MessageReader } from '../message-reader.js';
import {
  mattersWhetherNew,
  refuseRecipient,
  resolveRecipient,
  type Addressee,
  type SendFacts,
} from '../recipients.js';
import { normalizeContent } from '../text.js';

/** Sends a message to a channel or to people (facts, section 5, POST messages). Answers the message's id. */
export class SendMessage extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly to: Addressee;
      readonly content: string;
      readonly readBySender: boolean;
      /** What the client calls this message: the same name sends it only once. */
      readonly name: { readonly queueId: string; readonly localId: string } | null;
    },
  ) {
    super();
  }
}

/**
 * @throws ApplicationError when the text is empty, or the sender may not send there or mention whom they mention
 */
export function decideSendMessage(
  { content, readBySender }: Pick<SendMessage['request'], 'content' | 'readBySender'>,
  facts: SendFacts,
): EventOf<typeof MessageSent> {
  const text = normalizeContent(content);
  if (text === '') throw failure('badRequest', { reason: 'Message must not be empty' });
  refuseRecipient(facts);
  const { sender, recipient } = facts;
  return {
    type: 'MessageSent',
    data: { senderId: sender.id, recipient, readBySender, ...composeText(text, facts) },
  };
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly log: ConsistentLog,
    private readonly follower: DirectoryFollower,
    private readonly messages: MessageReader,
    private readonly emails: EmailLookup,
    private readonly clock: SystemClock,
  ) {}

  async execute({ caller, request }: SendMessage): Promise<number> {
    const moment = { directory: this.follower.current(), now: this.clock.now() };
    const sender = moment.directory.user(caller.userId);
    if (sender === null) throw failure('unauthorized', { reason: 'Invalid API key' });
    const userByEmail = (email: string): typeof sender | null => this.emails.find(moment.directory, email);
    const recipient = resolveRecipient(request.to, { moment, sender, userByEmail });
    const facts = await this.factsOf({ moment, sender, recipient }, request.content);
    const event = decideSendMessage(request, facts);
    const appended = await this.log.append({ stream: messagesStream, expected: 'any' }, [event], {
      actorId: caller.userId,
      commandId: commandIdFor(caller, request),
      causationId: null,
      client: caller.client,
      at: moment.now,
    });
    return idAtRevision(appended.revision);
  }

  private async factsOf(writing: Omit<Writing, 'topicParticipants'>, content: string): Promise<SendFacts> {
    const [isNewConversation, topicParticipants] = await Promise.all([
      mattersWhetherNew(writing) && this.messages.isNewConversation(writing.recipient),
      this.messages.countParticipants(writing.recipient, content),
    ]);
    return { ...writing, isNewConversation, topicParticipants };
  }
}

function commandIdFor({ userId }: Caller, { name }: SendMessage['request']): string {
  if (name === null) return randomCommandId();
  return commandIdOf(['send-message', String(userId), name.queueId, name.localId]);
}
