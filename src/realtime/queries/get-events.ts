import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { Draining } from '../../http/monitoring/health.js';
import { EventFeed } from '../event-feed.js';
import { EventQueues } from '../queues/event-queues.js';

/** The events of a queue of this process that the client has not acknowledged (`GET /events`). Returns a JSON array. */
export class GetEvents extends Query<string> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly queueId: string;
      /** Whether to wait for an event when there is none. */
      readonly isHeld: boolean;
    },
  ) {
    super();
  }
}

/**
 * After this time a long poll is answered with a heartbeat. The time varies, so that clients do not all poll
 * again at once.
 */
const heartbeatAfter = { min: 45_000, max: 55_000 } as const;

@QueryHandler(GetEvents)
export class GetEventsHandler implements IQueryHandler<GetEvents> {
  constructor(
    private readonly queues: EventQueues,
    private readonly feed: EventFeed,
    private readonly draining: Draining,
  ) {
    draining.signal.addEventListener('abort', () => {
      for (const queue of queues.all()) queue.endHeldPoll();
    });
  }

  /** @throws ApplicationError `badEventQueueId` */
  async execute({ caller, request }: GetEvents): Promise<string> {
    const queue = this.queues.find(caller.userId, request.queueId);
    if (!request.isHeld || this.draining.signal.aborted) return queue.take();
    const { min, max } = heartbeatAfter;
    return queue.poll(min + Math.random() * (max - min), this.feed);
  }
}
