import type { PersistedEvent } from '../../stores/event-store/port.js';
import type { Finding } from './report.js';
import { placeOf } from './stream-order.js';

const ID_BYTES = 16;

/** Initial number of slots. The table grows when half of them are taken. */
const FIRST_SLOTS = 1 << 12;

/**
 * Detects ids that occur twice. The ids are kept as bytes in a table with open addressing; as strings in a set, those
 * of a long log would take ten times the memory.
 */
export class EventIds {
  private slots = Buffer.alloc(FIRST_SLOTS * ID_BYTES);
  private count = 0;

  /** What is wrong with the id of the next event. */
  take(event: PersistedEvent): readonly Finding[] {
    const id = Buffer.from(event.id.replaceAll('-', ''), 'hex');
    // Another check reports malformed ids.
    if (id.length !== ID_BYTES || this.add(id)) return [];
    const message = `an event with its id, ${event.id}, is earlier in the log: it was repeated`;
    return [{ kind: 'duplicate', position: event.position, place: placeOf(event), message }];
  }

  /** @returns false when the id is already in the table */
  private add(id: Buffer): boolean {
    if ((this.count + 1) * 2 > this.slots.length / ID_BYTES) this.widen();
    const at = this.slotOf(id);
    if (!this.isFree(at)) return false;
    id.copy(this.slots, at);
    this.count += 1;
    return true;
  }

  /** The slot of an id, or the free slot for it. */
  private slotOf(id: Buffer): number {
    const mask = this.slots.length / ID_BYTES - 1;
    // Ids begin with the time, so their last bytes distinguish them best.
    for (let slot = id.readUInt32BE(ID_BYTES - 4) & mask; ; slot = (slot + 1) & mask) {
      const at = slot * ID_BYTES;
      if (this.isFree(at) || id.equals(this.slots.subarray(at, at + ID_BYTES))) return at;
    }
  }

  /** No id is all zeros, because it contains a version number. */
  private isFree(at: number): boolean {
    return this.slots.readBigUInt64BE(at) === 0n && this.slots.readBigUInt64BE(at + 8) === 0n;
  }

  private widen(): void {
    const before = this.slots;
    this.slots = Buffer.alloc(before.length * 2);
    for (let at = 0; at < before.length; at += ID_BYTES) {
      const id = before.subarray(at, at + ID_BYTES);
      if (!id.equals(zeros)) id.copy(this.slots, this.slotOf(id));
    }
  }
}

const zeros = Buffer.alloc(ID_BYTES);
