import type { AnyEventDefinition, Recorded, RecordedEvent } from './event.js';

/** Handlers by event type. */
export type Handlers<Handler> = Readonly<Record<string, Handler>>;

/** Registers one handler for the events of one or several definitions. Their data has the types of the definitions. */
export function on<Definition extends AnyEventDefinition, Result>(
  definitions: Definition | readonly Definition[],
  handler: (event: Recorded<Definition>) => Result,
): Handlers<(event: RecordedEvent) => Result> {
  return byType(definitions, handler as (event: RecordedEvent) => Result);
}

/** Registers a handler under the type of each definition. Prefer `on`, which also types the events. */
export function byType<Handler>(
  definitions: AnyEventDefinition | readonly AnyEventDefinition[],
  handler: Handler,
): Handlers<Handler> {
  return Object.fromEntries([definitions].flat().map(({ type }) => [type, handler]));
}

/**
 * Merges handlers.
 *
 * @throws Error when two of them handle the same type
 */
export function handlers<Handler>(...parts: readonly Handlers<Handler>[]): Handlers<Handler> {
  const all: Record<string, Handler> = {};
  for (const [type, handler] of parts.flatMap((part) => Object.entries(part))) {
    if (type in all) throw new Error(`Two handlers of ${type}`);
    all[type] = handler;
  }
  return all;
}
