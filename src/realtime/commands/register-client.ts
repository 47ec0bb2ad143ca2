import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { apiVersion } from '../../organization/api-version.js';
import { isGuest } from '../../users/roles.js';
import { EventFeed } from '../event-feed.js';
import type { EventQueue } from '../queues/event-queue.js';
import { EventQueues } from '../queues/event-queues.js';
import { queueOptionsFor, type RequestedOptions } from '../queues/queue-options-of.js';
import { StateReader } from '../state/read-state.js';

/** Opens a queue of events, and tells how everything stands before the first of them (facts of the events, sections 1 and 3). */
export class RegisterClient extends Command<string> {
  constructor(
    readonly caller: Caller,
    readonly request: {
      readonly options: RequestedOptions;
      /** Which parts of the state to tell; null: all. */
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
  ) {}

  /** @returns the members of the reply as the text of a JSON object */
  execute({ caller, request: { options: requested, fetched } }: RegisterClient): Promise<string> {
    return this.feed.standing(async (moment) => {
      const user = moment.directory.user(caller.userId);
      // They have just been made, and this node does not tell of it yet.
      if (user === null) throw failure('unavailable');
      if (!user.isActive) throw failure('unauthorized', { reason: 'Account is deactivated' });
      const options = queueOptionsFor(user, requested, moment.directory);
      if (options.allPublicChannels && isGuest(user)) {
        throw failure('badRequest', { reason: 'User not authorized for this query' });
      }
      const queue = this.queues.open(user.id, options);
      const state = await this.stateFor(queue, { caller, user, moment, options, fetched });
      const always = {
        queue_id: queue.owner.id,
        last_event_id: -1,
        ...apiVersion,
        idle_queue_timeout_secs: options.idleSeconds,
      };
      const members = JSON.stringify(always).slice(1, -1);
      return state === '' ? `{${members}}` : `{${members},${state}}`;
    });
  }

  /** A queue whose client is not told of it is of no use. */
  private async stateFor(queue: EventQueue, asked: Parameters<StateReader['read']>[0]): Promise<string> {
    try {
      return await this.state.read(asked);
    } catch (error) {
      this.queues.end(queue);
      throw error;
    }
  }
}
