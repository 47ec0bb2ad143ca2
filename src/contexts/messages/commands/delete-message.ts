import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { MessageDecisions } from '../message-decisions.js';
import { decideDeleteMessage } from '../deletion.decide.js';

/** Deletes a message (`DELETE /messages/{message_id}`). */
export class DeleteMessage extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly messageId: number,
  ) {
    super();
  }
}

@CommandHandler(DeleteMessage)
export class DeleteMessageHandler implements ICommandHandler<DeleteMessage> {
  constructor(private readonly decisions: MessageDecisions) {}

  async execute({ caller, messageId }: DeleteMessage): Promise<void> {
    const placed = await this.decisions.place(caller, messageId);
    await this.decisions.decide(caller, placed, decideDeleteMessage);
  }
}
