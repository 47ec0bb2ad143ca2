import type { z } from 'zod';
import type { JsonObject } from './json.js';

/** A fact about the past, as a decider produces it and `evolve` consumes it. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** What the log knows about an event beside its data. */
export interface EventMetadata {
  /** The account that requested the change; null: the server itself. */
  readonly actorId: number | null;
  /** The command that led to the event. Event ids derive from it, so a retried command writes nothing twice. */
  readonly commandId: string;
  /** The id of the event that a reactor or a process manager reacted to; null: a person gave the command. */
  readonly causationId: string | null;
  /** Name of the client program, as the API reports it (the User-Agent up to its first slash). */
  readonly client: string;
  /** When it was decided: milliseconds since the UNIX epoch. */
  readonly at: number;
}

/** The place of an event in the log, and its metadata. */
interface RecordedFacts {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, counted from 0. */
  readonly revision: number;
  /** Place in the whole log: increasing, with gaps, comparable only within one log. */
  readonly position: number;
  readonly metadata: EventMetadata;
  /** True when the event's key was destroyed and placeholders replace its erasable fields. */
  readonly erased: boolean;
}

/** An event as read from the log: decoded, upcast to the current version, decrypted. */
export type RecordedEvent<Event extends DomainEvent = DomainEvent> = Event & RecordedFacts;

/** Which fields of an event's data are personal or written by people, and whose key protects them. */
export interface ErasableFields<Data> {
  /** Top-level fields of the data, stored only encrypted. */
  readonly fields: readonly (keyof Data & string)[];
  /** The person whose key wraps the record's key; null: it belongs to the organization. */
  readonly owner: (data: Data) => number | null;
  /** The id of the record's key, where several events share one (a message and its edits); absent: the event's own id. */
  readonly key?: (data: Data) => string;
  /** The values of those fields after the key was destroyed. */
  readonly placeholder: Partial<Data>;
}

/** An event type at its current version: the single source of its schema, documentation and example. */
interface EventDefinition<Type extends string = string, Data = unknown> {
  readonly type: Type;
  /** Raised when the shape changes. Every earlier version keeps an upcast. */
  readonly version: number;
  /** One sentence for auditors. */
  readonly description: string;
  readonly schema: z.ZodType<Data>;
  readonly erasable?: ErasableFields<Data>;
  readonly example: Data;
  /** By the version that they start from: each converts data of that version to the next version. */
  readonly upcasts: Readonly<Record<number, (data: JsonObject) => JsonObject>>;
}

/** A definition of any type, for code that treats all of them alike. */
export interface AnyEventDefinition extends Omit<EventDefinition, 'erasable'> {
  readonly erasable?: {
    readonly fields: readonly string[];
    // Methods, which a definition may have for the type of its own data.
    owner(this: void, data: object): number | null;
    key?(this: void, data: object): string;
    readonly placeholder: object;
  };
}

/** The domain event that a definition describes. */
export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Data> ? DomainEvent<Type, Data> : never;

/** An event of one of the definitions, as it was read back from the log: `Recorded<typeof MessageSent>`. */
export type Recorded<Definition> = RecordedEvent<EventOf<Definition>>;

/** Narrows an event to the types of the given definitions. */
export function isEvent<
  Event extends { readonly type: string },
  Definitions extends readonly AnyEventDefinition[],
>(event: Event | undefined, ...definitions: Definitions): event is Event & Recorded<Definitions[number]> {
  return definitions.some(({ type }) => type === event?.type);
}

/** TypeScript infers the data's type from the schema alone; the other members must agree with it. */
type DefinitionInput<Type extends string, Data> = {
  readonly type: Type;
  readonly schema: z.ZodType<Data>;
} & Omit<EventDefinition<Type, NoInfer<Data>>, 'type' | 'schema' | 'upcasts' | 'version'> &
  Partial<Pick<EventDefinition<Type, Data>, 'upcasts' | 'version'>>;

/** Declares an event type. Version 1 needs no upcast. */
export function defineEvent<Type extends string, Data>(
  definition: DefinitionInput<Type, Data>,
): EventDefinition<Type, Data> {
  return { version: 1, upcasts: {}, ...definition };
}
