import { writeClientEvent, type ClientEvent, type WrittenEvent } from '../client-event.js';

/** The type of client events about message flags. */
export const FLAGS_EVENT_TYPE = 'update_message_flags';

/** A change of one flag that names only message ids. */
export interface FlagsEvent extends ClientEvent {
  readonly flag: string;
  readonly messages: readonly number[];
}

/**
 * Whether a change can be merged with others: changes to unread cannot, because they contain more, nor
 * changes of all messages.
 */
export function isMergeable(event: ClientEvent): event is FlagsEvent {
  if (event.type !== FLAGS_EVENT_TYPE || event['all'] === true) return false;
  return event.op !== 'remove' || event['flag'] !== 'read';
}

/** Changes of one flag merged into one event. */
export class MergedFlags implements WrittenEvent {
  readonly messageId = null;
  private readonly changes: FlagsEvent[];
  /** Sum of the sizes of the merged changes: an upper bound for the size of the text. */
  bytes: number;

  constructor(
    private readonly first: FlagsEvent,
    /** The id that the first of the changes would have by itself. */
    readonly firstId: number,
  ) {
    this.changes = [first];
    this.bytes = writeClientEvent(first).bytes;
  }

  /** Whether another change is of the same kind. */
  isLike({ op, flag }: FlagsEvent): boolean {
    return op === this.first.op && flag === this.first.flag;
  }

  /** Call only while no counter counts it, since it grows. */
  add(change: FlagsEvent): void {
    this.changes.push(change);
    this.bytes += writeClientEvent(change).bytes;
  }

  get text(): string {
    if (this.changes.length === 1) return writeClientEvent(this.first).text;
    return writeClientEvent({ ...this.first, messages: this.changes.flatMap(({ messages }) => messages) })
      .text;
  }
}
