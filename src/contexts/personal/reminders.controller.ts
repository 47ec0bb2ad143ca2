import { Controller, Delete, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { CancelReminder, RequestReminder } from './commands/reminders.js';
import { RequestReminderParameters } from './personal.parameters.js';
import { GetReminders } from './queries/personal.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { createdReminderReply, remindersReply } from './personal.replies.js';

/** Reminders of messages. */
@ApiTags('reminders')
@Controller('reminders')
export class RemindersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the caller's open reminders. */
  @Reply(remindersReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { reminders: await this.queries.execute(new GetReminders(caller)) };
  }

  /** Requests a reminder of a message. */
  @Reply(createdReminderReply)
  @Post()
  async request(
    @CurrentCaller() caller: Caller,
    @Parameters(RequestReminderParameters) parameters: RequestReminderParameters,
  ): Promise<SuccessFields> {
    const { message_id: messageId, scheduled_delivery_timestamp: dueAt, note = '' } = parameters;
    return {
      reminder_id: await this.commands.execute(new RequestReminder(caller, { messageId, dueAt, note })),
    };
  }

  /** Cancels a reminder. */
  @Reply()
  @Delete(':reminder_id')
  async cancel(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('reminder_id') reminderId: number,
  ): Promise<void> {
    await this.commands.execute(new CancelReminder(caller, reminderId));
  }
}
