import type { Moment } from '../directory/moment.js';
import type { DomainEvent, RecordedEvent } from '../kernel/event.js';
import type { User } from '../users/user.js';
import type { ClientEvent } from './client-event.js';
import type { QueueOptions } from './queues/queue-options.js';
import type { ClientModels } from './client-models.js';

/** Who gets a client event: accounts by their ids, those that pass a test, or every active account. */
export type Audience = readonly number[] | ((user: User) => boolean) | 'everyone';

/** One client of one account. */
export interface Receiver {
  readonly user: User;
  readonly queueId: string;
  readonly options: QueueOptions;
}

/** A client event and who gets it. */
export interface Notice {
  readonly to: Audience;
  /**
   * The event, or what makes it for one client where clients differ; null: not for this one. Answer the same object to clients
   * that get the same: it is then put into words once.
   */
  readonly event: ClientEvent | ((receiver: Receiver) => ClientEvent | readonly ClientEvent[] | null);
}

/** What there is to look at once an event took effect. */
export interface Scene<Before = unknown, Read = unknown> {
  /** Everyone and everything right after the event. */
  readonly moment: Moment;
  /** What {@link Translation.before} answered. */
  readonly before: Before;
  /** What {@link Translation.read} answered. */
  readonly read: Read;
  /**
   * The events that were appended together, in order, this one among them; where a page of the log ends between them, those that
   * are on its page.
   */
  readonly appended: readonly RecordedEvent[];
}

/** How one event of the log is told to clients. */
export interface Translation<Event> {
  /** Takes note of what is about to change: called right before the event takes effect. Pure. */
  readonly before?: (event: Event, moment: Moment) => unknown;
  /** Reads what read models say; they have passed the event, and may have passed later ones too. The moment is an earlier one. */
  readonly read?: (event: Event, models: ClientModels, moment: Moment) => Promise<unknown>;
  /** Pure. */
  readonly notices: (event: Event, scene: Scene) => readonly Notice[];
}

/** Declares a translation, so that what `before` and `read` answer is known to `notices`. */
export function translation<Event, Before = undefined, Read = undefined>(steps: {
  readonly before?: (event: Event, moment: Moment) => Before;
  readonly read?: (event: Event, models: ClientModels, moment: Moment) => Promise<Read>;
  readonly notices: (event: Event, scene: Scene<Before, Read>) => readonly Notice[];
}): Translation<Event> {
  return steps as Translation<Event>;
}

/** Clients are not told of the event. */
export const noClientEvent = 'no client event';

/** A line for each event of a context. */
export type Translations<Event extends DomainEvent> = {
  readonly [Type in Event['type']]:
    Translation<Extract<RecordedEvent<Event>, { readonly type: Type }>> | typeof noClientEvent;
};
