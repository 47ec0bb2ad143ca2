import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { MessageReader } from '../message-reader.js';
import type { MessageFormat } from '../view/reader.js';

/** Reads one message. Returns the reply's members as JSON text. */
export class GetMessage extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
    readonly format: MessageFormat,
  ) {
    super();
  }
}

@QueryHandler(GetMessage)
export class GetMessageHandler implements IQueryHandler<GetMessage> {
  constructor(private readonly messages: MessageReader) {}

  async execute({ caller, messageId, format }: GetMessage): Promise<string> {
    const session = await this.messages.open(caller);
    const message = await session.get(messageId);
    if (message === null) throw failure('invalidMessage');
    const { texts } = await session.serializer.serialize([message.document], format);
    return `{"message":${texts.get(messageId) ?? 'null'},"raw_content":${JSON.stringify(message.document.content)}}`;
  }
}
