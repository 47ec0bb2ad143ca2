import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { appendsNothing } from '../../http/server/availability.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { ReportEditing, ReportTyping } from './commands/report-typing.js';
import { EditingParameters, TypingParameters, typingPlace } from './typing.parameters.js';
import { Reply } from '../../http/replies/reply.decorator.js';

/** Typing notifications. */
@ApiTags('presence')
@Controller('typing')
export class TypingController {
  constructor(private readonly commands: CommandBus) {}

  /** Reports that the caller starts or stops typing. */
  @RouteConfig(appendsNothing)
  @Reply()
  @Post()
  async tell(
    @CurrentCaller() caller: Caller,
    @Parameters(TypingParameters) parameters: TypingParameters,
  ): Promise<void> {
    await this.commands.execute(new ReportTyping(caller, parameters.op, typingPlace(parameters)));
  }
}

/** Notifications about editing a message. */
@ApiTags('messages')
@Controller('messages/:message_id/typing')
export class EditingController {
  constructor(private readonly commands: CommandBus) {}

  /** Reports that the caller starts or stops editing one of their messages. */
  @RouteConfig(appendsNothing)
  @Reply()
  @Post()
  async tell(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @Parameters(EditingParameters) { op }: EditingParameters,
  ): Promise<void> {
    await this.commands.execute(new ReportEditing(caller, op, messageId));
  }
}
