/** JSON that was put into words before: it goes into an event as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** An event as clients get it (facts of the events, section 2), without its id: each queue numbers its own. */
export interface ClientEvent {
  readonly type: string;
  readonly op?: string;
  readonly [member: string]: unknown;
}

const written = new WeakMap<ClientEvent, string>();

/**
 * The event's JSON without the opening brace, so that a queue can put an id before it. One event that goes to many queues is put
 * into words once, and the queues share the text.
 */
export function writeClientEvent(event: ClientEvent): string {
  let text = written.get(event);
  if (text === undefined) {
    text = `${Object.entries(event).flatMap(member).join(',')}}`;
    written.set(event, text);
  }
  return text;
}

function member([name, value]: [string, unknown]): string[] {
  if (value === undefined) return [];
  return [`${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`];
}
