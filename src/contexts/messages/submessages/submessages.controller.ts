import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MaxLength } from 'class-validator';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { IntegerParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../../http/parameters/parameters.decorator.js';
import { Reply } from '../../../http/replies/reply.decorator.js';
import { AttachSubmessage } from '../commands/submessages.js';
import { MAX_SUBMESSAGE_LENGTH } from './submessage.js';

/** Parameters of POST /submessage. */
class AttachSubmessageParameters {
  @IntegerParameter({
    example: 1,
    required: true,
    description: 'The id of the message: a poll, a to-do list, or another widget.',
  })
  message_id!: number;

  @TextParameter({
    example: 'widget',
    required: true,
    description: 'The type of the submessage. Clients use `widget`.',
  })
  @MaxLength(100)
  msg_type!: string;

  @TextParameter({
    maxLength: MAX_SUBMESSAGE_LENGTH,
    example: '{"type":"vote","key":"canned,0","vote":1}',
    required: true,
    description: 'JSON, such as `{"type":"vote","key":"canned,0","vote":1}`: at most 1,000 code points.',
  })
  content!: string;
}

/** Polls, lists and other widgets in messages. */
@ApiTags('messages')
@Controller('submessage')
export class SubmessagesController {
  constructor(private readonly commands: CommandBus) {}

  /** Attaches to a poll, a list or another widget. */
  @Reply()
  @Post()
  async attach(
    @CurrentCaller() caller: Caller,
    @Parameters(AttachSubmessageParameters) parameters: AttachSubmessageParameters,
  ): Promise<void> {
    const { message_id: messageId, msg_type: kind, content } = parameters;
    await this.commands.execute(new AttachSubmessage(caller, messageId, { kind, content }));
  }
}
