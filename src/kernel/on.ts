import type { AnyEventDefinition, Recorded, RecordedEvent } from './event.js';

/** What handles events, by the type of the event. */
export type Handlers<Handler> = Readonly<Record<string, Handler>>;

/**
 * One handler for the events of one definition or of several. The handler gets them with the types that the definitions give
 * their data.
 */
export function on<Definition extends AnyEventDefinition, Result>(
  definitions: Definition | readonly Definition[],
  handler: (event: Recorded<Definition>) => Result,
): Handlers<(event: RecordedEvent) => Result> {
  return byType(definitions, handler as (event: RecordedEvent) => Result);
}

/** The same handler under the type of each definition. Prefer a typed `on`, which keeps handler and definitions together. */
export function byType<Handler>(
  definitions: AnyEventDefinition | readonly AnyEventDefinition[],
  handler: Handler,
): Handlers<Handler> {
  return Object.fromEntries([definitions].flat().map(({ type }) => [type, handler]));
}

/**
 * Several parts as one.
 *
 * @throws Error when two parts handle the same type
 */
export function handlers<Handler>(...parts: readonly Handlers<Handler>[]): Handlers<Handler> {
  const all: Record<string, Handler> = {};
  for (const [type, handler] of parts.flatMap((part) => Object.entries(part))) {
    if (type in all) throw new Error(`Two handlers of ${type}`);
    all[type] = handler;
  }
  return all;
}
