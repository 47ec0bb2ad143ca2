/** JSON that is text already: it goes into an event as it is. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The JSON of a message, with the message's id. */
export class MessageText extends JsonText {
  constructor(
    text: string,
    readonly messageId: number,
  ) {
    super(text);
  }
}

/** An event as clients get it (facts of the events, section 2), without its id: each queue numbers its own. */
export interface ClientEvent {
  readonly type: string;
  readonly op?: string;
  readonly [member: string]: unknown;
}

/** A client event as queues hold it. All queues that hold an event share one of these. */
export interface WrittenEvent {
  /** The event's JSON without the opening brace, so that a queue can put an id before it. */
  readonly text: string;
  /** Of the text in UTF-8. */
  readonly bytes: number;
  /** The message whose text the event says; null: of none. */
  readonly messageId: number | null;
}

const written = new WeakMap<ClientEvent, WrittenEvent>();

/** Serializes an event, once however many queues it goes to. */
export function writeClientEvent(event: ClientEvent): WrittenEvent {
  let known = written.get(event);
  if (known === undefined) {
    const text = `${Object.entries(event).flatMap(member).join(',')}}`;
    known = { text, bytes: Buffer.byteLength(text), messageId: messageSaidBy(event) };
    written.set(event, known);
  }
  return known;
}

/** Lets events that were made one by one, and turn out to say the same, share what is held of them. */
export class AlikeEvents {
  private readonly byText = new Map<string, WrittenEvent>();

  share(event: ClientEvent): void {
    const own = writeClientEvent(event);
    const first = this.byText.get(own.text);
    if (first === undefined) this.byText.set(own.text, own);
    else if (first !== own) written.set(event, first);
  }
}

function member([name, value]: [string, unknown]): string[] {
  if (value === undefined) return [];
  return [`${JSON.stringify(name)}:${value instanceof JsonText ? value.text : JSON.stringify(value)}`];
}

/** A new message, another text of it, or what was attached to it. */
function messageSaidBy({ type, message, message_id: changed }: ClientEvent): number | null {
  if (type === 'message') return message instanceof MessageText ? message.messageId : null;
  const isChanged = type === 'update_message' || type === 'submessage';
  return isChanged && typeof changed === 'number' ? changed : null;
}
