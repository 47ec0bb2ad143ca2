import { writeClientEvent, type ClientEvent, type WrittenEvent } from '../client-event.js';

/** What people do to the flags of their messages. */
export const flagsEventType = 'update_message_flags';

/** A change of one flag, by the ids of the messages alone. */
export interface FlagsEvent extends ClientEvent {
  readonly flag: string;
  readonly messages: readonly number[];
}

/** Whether a change can be told of together with others: not what becomes unread, which says more, nor of all that there is. */
export function isMergeable(event: ClientEvent): event is FlagsEvent {
  if (event.type !== flagsEventType || event['all'] === true) return false;
  return event.op !== 'remove' || event['flag'] !== 'read';
}

/** Changes of one flag that go out as one event (facts of the events, section 1, "Compression"). */
export class MergedFlags implements WrittenEvent {
  readonly messageId = null;
  private readonly changes: FlagsEvent[];
  /** Of all that was merged: its text is no longer. */
  bytes: number;

  constructor(
    private readonly first: FlagsEvent,
    /** What the first of them would be numbered by itself. */
    readonly firstId: number,
  ) {
    this.changes = [first];
    this.bytes = writeClientEvent(first).bytes;
  }

  /** Whether another change is of the same kind. */
  isLike({ op, flag }: FlagsEvent): boolean {
    return op === this.first.op && flag === this.first.flag;
  }

  /** Called while no queue counts it, since it grows. */
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
