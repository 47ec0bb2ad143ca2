import { Attachment } from '../kernel/attachment.js';
import { jsonMembersOf, RawJson } from '../kernel/json.js';

/** The JSON of a message, with the message's id. */
export class MessageText extends RawJson {
  constructor(
    text: string,
    readonly messageId: number,
  ) {
    super(text);
  }
}

/** An event in the form that clients get, without its id: each queue numbers its own events. */
export interface ClientEvent {
  readonly type: string;
  readonly op?: string;
  readonly [member: string]: unknown;
}

/** A serialized client event. All queues that hold the event share one of these objects. */
export interface WrittenEvent {
  /** The event's JSON without the opening brace, so that a queue can put an id before it. */
  readonly text: string;
  /** Length of the text in UTF-8. */
  readonly bytes: number;
  /** Id of the message whose text the event contains; null: none. */
  readonly messageId: number | null;
}

const written = new Attachment<ClientEvent, WrittenEvent>();

/** Serializes an event, once however many queues it goes to. */
export function writeClientEvent(event: ClientEvent): WrittenEvent {
  let known = written.get(event);
  if (known === undefined) {
    const text = `${jsonMembersOf(event)}}`;
    known = { text, bytes: Buffer.byteLength(text), messageId: messageIdIn(event) };
    written.set(event, known);
  }
  return known;
}

/**
 * Lets events that were made separately for several clients share one serialized object if their JSON is the
 * same.
 */
export class SharedEvents {
  private readonly byText = new Map<string, WrittenEvent>();

  share(event: ClientEvent): void {
    const own = writeClientEvent(event);
    const first = this.byText.get(own.text);
    if (first === undefined) this.byText.set(own.text, own);
    else if (first !== own) written.set(event, first);
  }
}

/**
 * Makes one event object (or one list of them) for all receivers that get the same, so that the number of
 * objects does not multiply with the number of receivers.
 *
 * @param make makes it from what the receivers do not have in common, which becomes JSON to compare it
 */
export function alike<Own, Made extends ClientEvent | readonly ClientEvent[]>(
  make: (own: Own) => Made,
): (own: Own) => Made {
  const known = new Map<string, Made>();
  return (own) => {
    const key = JSON.stringify(own);
    const made = known.get(key) ?? make(own);
    known.set(key, made);
    return made;
  };
}

/** The id of the message whose text is in the event: a new message, an edit, or a submessage. */
function messageIdIn({ type, message, message_id: changed }: ClientEvent): number | null {
  if (type === 'message') return message instanceof MessageText ? message.messageId : null;
  const isChanged = type === 'update_message' || type === 'submessage';
  return isChanged && typeof changed === 'number' ? changed : null;
}
