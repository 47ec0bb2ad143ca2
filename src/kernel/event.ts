import type { z } from 'zod';
import type { JsonObject } from './json.js';

/** A fact about the past, as a decider produces it and `evolve` consumes it. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** What the log knows about an event beside its data. */
export interface EventMetadata {
  /** The person who asked for the change; null when the server itself did. */
  readonly actorId: number | null;
  /** The command that the event came of. Event ids derive from it, so a retried command writes nothing twice. */
  readonly commandId: string;
  /** The id of the event that made a reactor or a process manager act; null when a person did. */
  readonly causationId: string | null;
  /** Name of the client program, as the API reports it (the User-Agent up to its first slash). */
  readonly client: string;
  /** When it was decided: milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** Where an event stands in the log, and what the log knows about it. */
export interface RecordedFacts {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
  /** Place in the whole log: rising, not dense, comparable only within one log. */
  readonly position: number;
  readonly metadata: EventMetadata;
  /** True when its key was destroyed and placeholders stand for what people wrote. */
  readonly erased: boolean;
}

/** An event as it was read back from the log: decoded, upcast to the current version, decrypted. */
export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & RecordedFacts;

/** Which fields of an event's data are what people wrote or who they are, and whose key guards them. */
export interface ErasableFields<Data> {
  /** Top-level fields of the data, stored only encrypted. */
  readonly fields: readonly (keyof Data & string)[];
  /** The person whose key wraps the record's key; null for what belongs to the organization. */
  readonly owner: (data: Data) => number | null;
  /** The record's key, where several events share one (a message and its edits). Absent: the event's own id. */
  readonly key?: (data: Data) => string;
  /** What a reader gets for those fields once the key is destroyed. */
  readonly placeholder: Partial<Data>;
}

/** One event type at its current version: the single source for its schema, documentation and example. */
export interface EventDefinition<Type extends string = string, Data = unknown> {
  readonly type: Type;
  /** Raised when the shape changes; every earlier version keeps an upcast. */
  readonly version: number;
  /** One sentence for auditors. */
  readonly description: string;
  readonly schema: z.ZodType<Data>;
  readonly erasable?: ErasableFields<Data>;
  readonly example: Data;
  /** By the version that they start from: each turns data of that version into the next version's. */
  readonly upcasts: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
}

/** A definition whatever its type, for code that treats all alike. */
export interface AnyEventDefinition extends Omit<EventDefinition, 'erasable'> {
  readonly erasable?: {
    readonly fields: readonly string[];
    readonly owner: (data: never) => number | null;
    readonly key?: (data: never) => string;
    readonly placeholder: object;
  };
}

/** The domain event that a definition describes. */
export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Data> ? DomainEvent<Type, Data> : never;

/** An event of one of the definitions, as it was read back from the log: `Recorded<typeof MessageSent>`. */
export type Recorded<Definition> = RecordedEvent<EventOf<Definition>>;

/** Whether there is an event, and of one of the definitions: then its data is what they say. */
export function isEvent<
  Event extends { readonly type: string },
  Definitions extends readonly AnyEventDefinition[],
>(event: Event | undefined, ...definitions: Definitions): event is Event & Recorded<Definitions[number]> {
  return definitions.some(({ type }) => type === event?.type);
}

/** The schema alone says what the data is; the rest must agree with it. */
type DefinitionInput<Type extends string, Data> = {
  readonly type: Type;
  readonly schema: z.ZodType<Data>;
} & Omit<EventDefinition<Type, NoInfer<Data>>, 'type' | 'schema' | 'upcasts' | 'version'> &
  Partial<Pick<EventDefinition<Type, Data>, 'upcasts' | 'version'>>;

/** Declares an event type; the first version needs no upcast. */
export function defineEvent<Type extends string, Data>(
  definition: DefinitionInput<Type, Data>,
): EventDefinition<Type, Data> {
  return { version: 1, upcasts: {}, ...definition };
}
