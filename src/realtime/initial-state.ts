import type { Query, QueryBus } from '@nestjs/cqrs';
import type { User } from '../access/records/user.js';
import type { Caller } from '../http/caller.js';
import type { CallersQuery } from '../reader-threads/reader-query.js';
import type { FeedSnapshot } from './event-feed.js';
import type { ClientCapabilities } from './queues/client-capabilities.js';
import type { QueueOptions } from './queues/queue-options.js';

/** What the initial state of a client is made from, and the options that it registered with. */
export interface StateRequest<Models = unknown> {
  readonly caller: Caller;
  readonly user: User;
  /** Accounts, channels and groups; it does not change while the state is put together. */
  readonly snapshot: FeedSnapshot;
  readonly options: QueueOptions;
  /** Which parts are asked for; null: all. */
  readonly fetched: ReadonlySet<string> | null;
  /** For what clients also ask for separately. */
  readonly queries: QueryBus;
  /** What contexts read. */
  readonly models: Models;
}

/** Members of the reply; a {@link JsonText} stands as it is. */
export type StateFields = Readonly<Record<string, unknown>>;

/** Parts of the initial state by the name that clients ask for them by (facts of the events, section 3). */
export type InitialState<Models = unknown> = Readonly<
  Record<string, (request: StateRequest<Models>) => StateFields | Promise<StateFields>>
>;

/** Parts that are read after the queue is open, because reading them may take long. */
export interface LaterStateRequest {
  readonly caller: Caller;
  /** Which parts are asked for; null: all. */
  readonly fetched: ReadonlySet<string> | null;
  /** Id of the last message that the state reflects; later ones come as events. */
  readonly through: number;
  readonly capabilities: ClientCapabilities;
}

/** Asks reader threads for members of the reply, as JSON text without braces; null: no part of it is asked for. */
export type LaterState = (request: LaterStateRequest) => (CallersQuery & Query<string>) | null;

/** Whether a client asks for a part. */
export function isFetched({ fetched }: Pick<StateRequest, 'fetched'>, part: string): boolean {
  return fetched === null || fetched.has(part);
}
