import type { Directory } from '../access/directory.js';
import type { User } from '../access/records/user.js';
import type { Snapshot } from '../access/snapshot.js';
import type { DomainEvent, RecordedEvent } from '../kernel/event.js';
import type { ClientEvent } from './client-event.js';
import type { QueueOptions } from './queues/queue-options.js';

/** Who receives a client event: accounts by their ids, accounts that pass a test, or every active account. */
export type Audience = readonly number[] | ((user: User) => boolean) | 'everyone';

/** One client of one account. */
export interface Receiver {
  readonly user: User;
  readonly queueId: string;
  readonly options: QueueOptions;
}

/** A client event and its audience. */
export interface AddressedEvent {
  readonly to: Audience;
  /**
   * The types of the events that the function makes: it is not called for clients that want none of them. Absent:
   * it is called for all clients.
   */
  readonly types?: readonly string[];
  /**
   * The event, or a function that makes it for one client where clients differ; null: this client gets none.
   * The function should return the same object for clients that get the same event, which is then serialized
   * once.
   */
  readonly event: ClientEvent | ((receiver: Receiver) => ClientEvent | readonly ClientEvent[] | null);
}

/** What `clientEvents` gets besides the event. */
export interface MapperContext<Before = unknown, Read = unknown> {
  /** The directory right after the event. */
  readonly snapshot: Snapshot;
  /** The result of {@link Mapper.before}. */
  readonly before: Before;
  /** The result of {@link Mapper.read}. */
  readonly read: Read;
  /**
   * All events of the same append, in order, this one included; if a page of the log ends between them, only
   * those on its page.
   */
  readonly appended: readonly RecordedEvent[];
}

/** Which accounts have a client in this process: reads for other accounts are unnecessary. */
export interface ConnectedAccounts {
  hasClient(userId: number): boolean;
}

/**
 * Maps one type of event of the log to client events. Its functions are declared as methods, whose parameters
 * TypeScript compares bivariantly, so that mappers of different types fit into one list; the catalog has
 * validated each event for its type.
 */
export interface Mapper<Event, Models = unknown> {
  /**
   * Remembers state from before the event: called right before the event is applied to the snapshot. Pure.
   */
  before?(event: Event, snapshot: Snapshot): unknown;
  /**
   * Reads from read models, which include the event and maybe later ones; `snapshot` is from before the
   * event.
   */
  read?(event: Event, models: Models, snapshot: Snapshot): Promise<unknown>;
  /**
   * Whether it may read very many documents: no other event with such a mapper is read before this one is mapped.
   */
  readonly readsMany?: boolean;
  /** Pure. */
  clientEvents(event: Event, context: MapperContext): readonly AddressedEvent[];
}

/**
 * Declares a mapper with the types of `before` and `read`, so that `clientEvents` gets their results typed.
 */
export function mapper<Event, Models, Before = undefined, Read = undefined>(steps: {
  readonly before?: (event: Event, snapshot: Snapshot) => Before;
  readonly read?: (event: Event, models: Models, snapshot: Snapshot) => Promise<Read>;
  readonly readsMany?: boolean;
  readonly clientEvents: (event: Event, context: MapperContext<Before, Read>) => readonly AddressedEvent[];
}): Mapper<Event, Models> {
  return steps;
}

/** Marks an event that clients do not receive. */
export const NO_CLIENT_EVENT = 'no client event';

/** One mapper for each event type of a context. */
export type Mappers<Event extends DomainEvent, Models = unknown> = {
  readonly [Type in Event['type']]:
    Mapper<Extract<RecordedEvent<Event>, { readonly type: Type }>, Models> | typeof NO_CLIENT_EVENT;
};

/** Mappers by type, for events of any context. */
export type MapperLines<Models = unknown> = Readonly<
  Record<string, Mapper<RecordedEvent, Models> | typeof NO_CLIENT_EVENT>
>;

/** The mappers by type, without the events that clients do not receive. */
export type MappersByType<Models = unknown> = ReadonlyMap<string, Mapper<RecordedEvent, Models>>;

/** A client event for the clients of one person. */
export function toSelf(
  { userId }: { readonly userId: number },
  event: ClientEvent,
): readonly AddressedEvent[] {
  return [{ to: [userId], event }];
}

/**
 * Whether a client gets events of a channel: clients without support for archived channels get none once it
 * was archived, because for them it was deleted then.
 */
export function isShownChannel(
  channelId: number,
  directory: Directory,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
): boolean {
  return capabilities.archived_channels || directory.channel(channelId)?.isArchived !== true;
}
