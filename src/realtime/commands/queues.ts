import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isGuest } from '../../access/records/roles.js';
import type { Caller } from '../../http/caller.js';
import { apiVersion } from '../../kernel/api-constants.js';
import { jsonMembersOf } from '../../kernel/json.js';
import { failure } from '../../kernel/errors.js';
import { EventFeed, type FeedSnapshot } from '../event-feed.js';
import { QueuePersistence } from '../recovery/queue-persistence.js';
import { QueueTakeover } from '../recovery/queue-takeover.js';
import type { EventQueue } from '../queues/event-queue.js';
import { EventQueues } from '../queues/event-queues.js';
import { queueOptionsFor, type RequestedOptions } from '../queues/queue-options-of.js';
import { StateReader } from '../state-reader.js';

/** Opens an event queue, and returns the state before the first of its events (`POST /register`). */
export class RegisterClient extends Command<readonly string[]> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly options: RequestedOptions;
      /** Names of the requested parts of the state; null: all. */
      readonly fetched: ReadonlySet<string> | null;
    },
  ) {
    super();
  }
}

@CommandHandler(RegisterClient)
export class RegisterClientHandler implements ICommandHandler<RegisterClient> {
  constructor(
    private readonly feed: EventFeed,
    private readonly queues: EventQueues,
    private readonly state: StateReader,
    private readonly persistence: QueuePersistence,
  ) {}

  /** @returns members of the reply as JSON text, one or several in each element */
  async execute({ caller, request }: RegisterClient): Promise<readonly string[]> {
    const { queue, members, through } = await this.feed.whilePaused((snapshot) =>
      this.open(caller, request, snapshot),
    );
    // Messages are read after the lock is released: events need not wait for that, and the queue collects
    // those for this client.
    const { capabilities } = queue.options;
    const stateRequest = { caller, fetched: request.fetched, through, capabilities };
    const reading = this.keeping(queue, () => this.state.readLater(stateRequest));
    const [later] = await Promise.all([reading, this.persistence.opened(queue)]);
    return [...members, ...later];
  }

  /** Opens the queue, and reads the parts of the state that are in memory. */
  private async open(
    caller: Caller,
    { options: requested, fetched }: RegisterClient['request'],
    snapshot: FeedSnapshot,
  ): Promise<OpenedQueue> {
    const user = snapshot.directory.user(caller.userId);
    // The account has just been registered, and this process has not dispatched that event yet.
    if (user === null) throw failure('unavailable');
    if (!user.isActive) throw failure('accountDeactivated');
    const options = queueOptionsFor(user, requested, snapshot.directory);
    if (options.allPublicChannels && isGuest(user)) {
      throw failure('queryNotAuthorized');
    }
    const queue = this.queues.open(user.id, options, snapshot.position);
    const stateRequest = { caller, user, snapshot, options, fetched };
    const state = await this.keeping(queue, () => this.state.read(stateRequest));
    const always = {
      queue_id: queue.owner.id,
      last_event_id: -1,
      ...apiVersion,
      idle_queue_timeout_secs: options.idleSeconds,
    };
    return {
      queue,
      members: [jsonMembersOf(always), ...state],
      through: snapshot.lastMessageId,
    };
  }

  /** Ends the queue if the work fails: its client never gets its id, so nobody would poll it. */
  private async keeping<Result>(queue: EventQueue, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      this.queues.end(queue);
      throw error;
    }
  }
}

interface OpenedQueue {
  readonly queue: EventQueue;
  /** Members of the reply, as JSON text. */
  readonly members: readonly string[];
  /** Id of the last message that the state includes. */
  readonly through: number;
}

/** Discards the events of a queue up to one that the client has, after taking the queue over from a dead process. */
export class AcknowledgeEvents extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly request: { readonly queueId: string; readonly lastEventId: number },
  ) {
    super();
  }
}

@CommandHandler(AcknowledgeEvents)
export class AcknowledgeEventsHandler implements ICommandHandler<AcknowledgeEvents> {
  constructor(private readonly queues: QueueTakeover) {}

  /** @throws ApplicationError `badEventQueueId`, `eventsPruned`, `eventNotInQueue` */
  async execute({ caller, request }: AcknowledgeEvents): Promise<void> {
    const { queueId: id, lastEventId } = request;
    const queue = await this.queues.find({ userId: caller.userId, id, lastEventId });
    queue.acknowledge(lastEventId);
  }
}

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
  constructor(private readonly queues: QueueTakeover) {}

  /** @throws ApplicationError `badEventQueueId` */
  execute({ caller, queueId }: DeleteQueue): Promise<void> {
    return this.queues.end({ userId: caller.userId, id: queueId });
  }
}
