import type { Snapshot } from '../access/snapshot.js';
import type { DomainEvent, RecordedEvent } from '../kernel/event.js';
import type { User } from '../access/records/user.js';
import type { ClientEvent } from './client-event.js';
import type { QueueOptions } from './queues/queue-options.js';

/** Who gets a client event: accounts by their ids, those that pass a test, or every active account. */
export type Audience = readonly number[] | ((user: User) => boolean) | 'everyone';

/** One client of one account. */
export interface Receiver {
  readonly user: User;
  readonly queueId: string;
  readonly options: QueueOptions;
}

/** A client event and who gets it. */
export interface AddressedEvent {
  readonly to: Audience;
  /**
   * The event, or what makes it for one client where clients differ; null: not for this one. Answer the same object to clients
   * that get the same: it is then serialized once.
   */
  readonly event: ClientEvent | ((receiver: Receiver) => ClientEvent | readonly ClientEvent[] | null);
}

/** What `clientEvents` is given besides the event. */
export interface MapperContext<Before = unknown, Read = unknown> {
  /** Accounts, channels and groups right after the event. */
  readonly snapshot: Snapshot;
  /** What {@link Mapper.before} answered. */
  readonly before: Before;
  /** What {@link Mapper.read} answered. */
  readonly read: Read;
  /**
   * The events that were appended together, in order, this one among them; where a page of the log ends between them, those that
   * are on its page.
   */
  readonly appended: readonly RecordedEvent[];
}

/** Which accounts have a client in this process: nothing need be read for others. */
export interface Listeners {
  isListening(userId: number): boolean;
}

/**
 * Maps one type of event of the log to client events. Its functions are declared as methods, whose parameters TypeScript compares
 * bivariantly, so that mappers of different types fit into one list; the catalog has checked what an event of each type holds.
 */
export interface Mapper<Event, Models = unknown> {
  /** Remembers the state before the event: called right before the event is applied. Pure. */
  before?(event: Event, snapshot: Snapshot): unknown;
  /** Reads from read models, which have passed the event and maybe later ones; `snapshot` is as of before the event. */
  read?(event: Event, models: Models, snapshot: Snapshot): Promise<unknown>;
  /** Pure. */
  clientEvents(event: Event, context: MapperContext): readonly AddressedEvent[];
}

/** Declares a mapper, so that what `before` and `read` answer is known to `clientEvents`. */
export function mapper<Event, Models, Before = undefined, Read = undefined>(steps: {
  readonly before?: (event: Event, snapshot: Snapshot) => Before;
  readonly read?: (event: Event, models: Models, snapshot: Snapshot) => Promise<Read>;
  readonly clientEvents: (event: Event, context: MapperContext<Before, Read>) => readonly AddressedEvent[];
}): Mapper<Event, Models> {
  return steps;
}

/** Clients are not told of the event. */
export const noClientEvent = 'no client event';

/** A line for each event of a context. */
export type Mappers<Event extends DomainEvent, Models = unknown> = {
  readonly [Type in Event['type']]:
    Mapper<Extract<RecordedEvent<Event>, { readonly type: Type }>, Models> | typeof noClientEvent;
};

/** The same of events of all types, by type. */
export type MapperLines<Models = unknown> = Readonly<
  Record<string, Mapper<RecordedEvent, Models> | typeof noClientEvent>
>;

/** Those events of which clients are told. */
export type MappersByType<Models = unknown> = ReadonlyMap<string, Mapper<RecordedEvent, Models>>;
