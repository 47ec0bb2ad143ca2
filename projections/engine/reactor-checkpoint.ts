import type { EventLog } from '../../src/stores/event-store/event-log.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import type { DeferredCheckpoint } from './checkpoint-writer.js';

/** Stored for "before the first event": a reactor that began on an empty log also needs a checkpoint. */
const BEFORE_FIRST = -1;

/** The checkpoint of a reactor, stored as that of a model without documents. */
export class ReactorCheckpoint implements DeferredCheckpoint {
  private passed = BEFORE_FIRST;
  private stored = BEFORE_FIRST;
  private acted = BEFORE_FIRST;

  constructor(
    private readonly store: ModelStore,
    private readonly fencingToken: number,
  ) {}

  /**
   * Where to continue: after the checkpoint, or, if there is none, after the end of the log, which is then stored at once.
   *
   * @returns null: from the beginning, since the log was empty when the reactor first ran
   */
  async begin(log: EventLog): Promise<number | null> {
    const { position } = await this.store.fence(this.fencingToken);
    if (position === null) {
      this.passed = (await log.store.head()) ?? BEFORE_FIRST;
      await this.storeCheckpoint();
    } else {
      this.passed = this.stored = position;
    }
    return afterStored(this.passed);
  }

  /** After an event that the reactor acted on. */
  passActed(position: number): void {
    this.passed = this.acted = position;
  }

  /** After events that do not concern the reactor. */
  passIrrelevant(position: number): void {
    this.passed = position;
  }

  /** Whether the reactor acted since the checkpoint was stored: after a crash it would act again. */
  get hasActed(): boolean {
    return this.acted > this.stored;
  }

  get isBehind(): boolean {
    return this.passed !== this.stored;
  }

  async storeCheckpoint(): Promise<void> {
    const position = this.passed;
    await this.store.commit({ writes: [], checkpoint: { position }, fencingToken: this.fencingToken });
    this.stored = position;
  }
}

/** The position in a reactor's stored checkpoint; null: before the first event. */
export async function storedPosition(store: ModelStore): Promise<number | null> {
  const { position } = await store.checkpoint();
  return position === null ? null : afterStored(position);
}

function afterStored(position: number): number | null {
  return position === BEFORE_FIRST ? null : position;
}
