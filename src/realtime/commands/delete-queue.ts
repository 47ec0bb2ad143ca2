import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { ReturningQueues } from '../keeping/returning-queues.js';

/** Ends one of the caller's queues, and the long poll that waits on it. */
export class DeleteQueue extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly queueId: string,
  ) {
    super();
  }
}

@CommandHandler(DeleteQueue)
export class DeleteQueueHandler implements ICommandHandler<DeleteQueue> {
  constructor(private readonly queues: ReturningQueues) {}

  /** @throws ApplicationError `badEventQueueId` */
  execute({ caller, queueId }: DeleteQueue): Promise<void> {
    return this.queues.end({ userId: caller.userId, id: queueId });
  }
}
