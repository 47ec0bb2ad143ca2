import type { QueryBus } from '@nestjs/cqrs';
import type { ChannelListing } from '../../channels/channel-listing.js';
import type { Caller } from '../../http/caller.js';
import type { MessageReader } from '../../messages/message-reader.js';
import type { User } from '../../users/user.js';
import type { ClientModels } from '../client-models.js';
import type { FeedMoment } from '../event-feed.js';
import type { QueueOptions } from '../queues/queue-options.js';

/** What a client that registers is told from, and how it wants it. */
export interface StateRequest {
  readonly caller: Caller;
  readonly user: User;
  /** Everyone and everything; it does not change while the state is put together. */
  readonly moment: FeedMoment;
  readonly options: QueueOptions;
  /** Which parts are asked for; null: all. */
  readonly fetched: ReadonlySet<string> | null;
  /** Address of the server, without a final slash. */
  readonly site: string;
  /** What stands behind the @ in the addresses of bots. */
  readonly botDomain: string;
  /** For what clients also ask for separately. */
  readonly queries: QueryBus;
  readonly models: ClientModels;
  readonly messages: MessageReader;
  readonly listing: ChannelListing;
}

/** Members of the reply; a {@link JsonText} stands as it is. */
export type StateFields = Readonly<Record<string, unknown>>;

/** Parts of the initial state by the name that clients ask for them by (facts of the events, section 3). */
export type InitialState = Readonly<
  Record<string, (request: StateRequest) => StateFields | Promise<StateFields>>
>;

/** Whether a client asks for a part. */
export function isFetched({ fetched }: Pick<StateRequest, 'fetched'>, part: string): boolean {
  return fetched === null || fetched.has(part);
}
