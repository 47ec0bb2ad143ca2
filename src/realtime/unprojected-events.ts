import type { ModelPositions } from '../../projections/engine/model-positions.js';
import type { PersistedEvent } from '../stores/event-store/port.js';

/** Keeps track of the events that the read models may not have passed yet. */
export class UnprojectedEvents {
  /** Position of the last such event, by type. */
  private readonly lastPositions = new Map<string, number>();

  constructor(private readonly positions: Pick<ModelPositions, 'waitUntil' | 'areAllStopped'>) {}

  note(events: readonly PersistedEvent[]): void {
    for (const { type, position } of events) this.lastPositions.set(type, position);
  }

  /** Resolves true if every model that handles them has passed all noted events within the time. */
  async waitForAll(milliseconds: number): Promise<boolean> {
    const waits = [...this.lastPositions].map(async ([type, position]) => {
      const passed = await this.positions.waitUntil({ position, types: [type], milliseconds });
      if (passed && this.lastPositions.get(type) === position) this.lastPositions.delete(type);
      return passed;
    });
    return (await Promise.all(waits)).every(Boolean);
  }

  /**
   * Whether every model that has not passed the noted events is halted: by an operator, a dead letter or a
   * full disk.
   */
  areAllStopped(): boolean {
    return [...this.lastPositions].every(([type, position]) =>
      this.positions.areAllStopped({ position, types: [type] }),
    );
  }
}
