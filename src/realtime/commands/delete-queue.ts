import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { EventQueues } from '../queues/event-queues.js';

/** Ends a queue of the caller's, and a poll that is held on it. */
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
  constructor(private readonly queues: EventQueues) {}

  /** @throws ApplicationError `badEventQueueId` */
  execute({ caller, queueId }: DeleteQueue): Promise<void> {
    this.queues.end(this.queues.find(caller.userId, queueId));
    return Promise.resolve();
  }
}
