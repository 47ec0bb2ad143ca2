import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import type { Recipient } from '../../events/messages.js';
import { addresseeOf, countsAsRead } from '../messages/sending/addressee.js';
import {
  CancelScheduledMessage,
  ChangeScheduledMessage,
  ScheduleMessage,
} from './commands/scheduled-messages.js';
import {
  ChangeScheduledMessageParameters,
  readdressed,
  refuseNothing,
  ScheduleMessageParameters,
} from './personal.parameters.js';
import { GetScheduledMessages } from './queries/personal.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { scheduledMessagesReply, scheduledReply } from './personal.replies.js';

/** Messages that are sent at a later time. */
@ApiTags('scheduled messages')
@Controller('scheduled_messages')
export class ScheduledMessagesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the messages that the caller has scheduled. */
  @Reply(scheduledMessagesReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { scheduled_messages: await this.queries.execute(new GetScheduledMessages(caller)) };
  }

  /** Schedules a message. */
  @Reply(scheduledReply)
  @Post()
  async schedule(
    @CurrentCaller() caller: Caller,
    @Parameters(ScheduleMessageParameters) parameters: ScheduleMessageParameters,
  ): Promise<SuccessFields> {
    const { content, scheduled_delivery_timestamp: dueAt, read_by_sender } = parameters;
    const readBySender = countsAsRead(read_by_sender, caller.client);
    const request = { to: addresseeOf(parameters), content, readBySender };
    return { scheduled_message_id: await this.commands.execute(new ScheduleMessage(caller, request, dueAt)) };
  }

  /** Changes a scheduled message. */
  @Reply()
  @Patch(':scheduled_message_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('scheduled_message_id') scheduledId: number,
    @Parameters(ChangeScheduledMessageParameters) parameters: ChangeScheduledMessageParameters,
  ): Promise<void> {
    refuseNothing(parameters);
    const { content, scheduled_delivery_timestamp: dueAt } = parameters;
    const changes = {
      content,
      dueAt,
      readdress: (recipient: Recipient) => readdressed(parameters, recipient),
    };
    await this.commands.execute(new ChangeScheduledMessage(caller, scheduledId, changes));
  }

  /** Cancels a scheduled message. */
  @Reply()
  @Delete(':scheduled_message_id')
  async cancel(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('scheduled_message_id') scheduledId: number,
  ): Promise<void> {
    await this.commands.execute(new CancelScheduledMessage(caller, scheduledId));
  }
}
