import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { ConsistentLog } from '../../http/consistency.js';
import { commandIdOf, randomCommandId } from '../../event-store/event-id.js';
import type { Caller } from '../../http/caller.js';
import { idAtRevision } from '../../kernel/ids.js';
import { messagesStream } from '../message.js';
import { MessageComposer, type MessageRequest } from '../message-composer.js';

/** Sends a message to a channel or to people (facts, section 5, POST messages). Answers the message's id. */
export class SendMessage extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly request: MessageRequest & {
      /** What the client calls this message: the same name sends it only once. */
      readonly name: { readonly queueId: string; readonly localId: string } | null;
    },
  ) {
    super();
  }
}

@CommandHandler(SendMessage)
export class SendMessageHandler implements ICommandHandler<SendMessage> {
  constructor(
    private readonly log: ConsistentLog,
    private readonly composer: MessageComposer,
  ) {}

  async execute({ caller, request }: SendMessage): Promise<number> {
    const { event, moment } = await this.composer.compose(caller, request);
    const appended = await this.log.append({ stream: messagesStream, expected: 'any' }, [event], {
      actorId: caller.userId,
      commandId: commandIdFor(caller, request),
      causationId: null,
      client: caller.client,
      at: moment.now,
    });
    return idAtRevision(appended.revision);
  }
}

function commandIdFor({ userId }: Caller, { name }: SendMessage['request']): string {
  if (name === null) return randomCommandId();
  return commandIdOf(['send-message', String(userId), name.queueId, name.localId]);
}
