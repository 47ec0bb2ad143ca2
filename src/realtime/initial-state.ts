import type { Query, QueryBus } from '@nestjs/cqrs';
import type { User } from '../access/records/user.js';
import type { Caller } from '../http/caller.js';
import type { CallersQuery } from '../reader-threads/reader-query.js';
import type { FeedSnapshot } from './event-feed.js';
import type { ClientCapabilities } from './queues/client-capabilities.js';
import type { QueueOptions } from './queues/queue-options.js';

/** What the initial state of a client is made from, with the options that it registered with. */
export interface StateRequest<Models = unknown> {
  readonly caller: Caller;
  readonly user: User;
  /** Does not change while the state is put together. */
  readonly snapshot: FeedSnapshot;
  readonly options: QueueOptions;
  /** Names of the requested parts; null: all. */
  readonly fetched: ReadonlySet<string> | null;
  /** For parts that have an endpoint of their own too. */
  readonly queries: QueryBus;
  /** The read models of contexts. */
  readonly models: Models;
}

/** Members of the reply; a {@link RawJson} is written unchanged. */
export type StateFields = Readonly<Record<string, unknown>>;

/** Functions that make parts of the initial state, by the names under which clients request them. */
export type InitialState<Models = unknown> = Readonly<
  Record<string, (request: StateRequest<Models>) => StateFields | Promise<StateFields>>
>;

/** A request for parts that are read after the queue is open, because reading them may take long. */
export interface LaterStateRequest {
  readonly caller: Caller;
  /** Names of the requested parts; null: all. */
  readonly fetched: ReadonlySet<string> | null;
  /** Id of the last message that the state includes; later ones come as events. */
  readonly through: number;
  readonly capabilities: ClientCapabilities;
}

/**
 * A query for reader threads that returns members of the reply, as JSON text without braces; null: no part of
 * it is requested.
 */
export type LaterState = (request: LaterStateRequest) => (CallersQuery & Query<string>) | null;

/** Whether a client requests a part. */
export function isFetched({ fetched }: Pick<StateRequest, 'fetched'>, part: string): boolean {
  return fetched === null || fetched.has(part);
}
