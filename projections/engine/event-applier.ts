import type { RecordedEvent } from '../../src/kernel/event.js';
import { TimeSlice } from '../../src/runtime/time-slice.js';
import type { ModelStore } from '../../src/stores/read-store/port.js';
import type { DecodedPage } from './decoded-pages.js';
import type { OrderedChange } from './engine-fields.js';
import type { ModelWriter } from './model-writer.js';
import { PoisonEventError, isAboutStores } from './poison-event.js';
import type { BatchedHandler, Handler, Projection, SlicedHandler } from './projection.js';
import { UnitOfWork } from './unit-of-work.js';

/** How many changes of one event's slices are committed together. */
const CHANGES_OF_COMMIT = 200;

/** Limits of one batch. */
export interface BatchLimits {
  readonly events: number;
  /**
   * Maximum number of events in one batch at the end of the log, for a model that nobody waits for. It is small, so
   * that models that replies wait for get their turn soon.
   */
  readonly backgroundEvents: number;
  /** Approximate number of characters in the events' texts; other data is counted by the time it takes: see {@link weightOf}. */
  readonly characters: number;
}

/** The model that events are applied to. */
export interface AppliedModel {
  readonly projection: Projection;
  readonly model: ModelStore;
  readonly writer: ModelWriter;
  readonly limits: BatchLimits;
}

/** Applies pages of the log to one model, in committed batches. */
export class EventApplier {
  private passedPosition: number | null;
  private storedPosition: number | null;
  private appliedEvents = 0;

  private constructor(
    private readonly applied: AppliedModel,
    checkpoint: number | null,
    private readonly onCommit: (position: number) => void,
  ) {
    this.passedPosition = checkpoint;
    this.storedPosition = checkpoint;
  }

  /** Completes a batch that a predecessor left partly written, and continues from its checkpoint. `onCommit` is called with each position reached. */
  static async open(
    applied: AppliedModel,
    onCommit: (position: number) => void = () => {},
  ): Promise<EventApplier> {
    const { position } = await applied.writer.recover();
    return new EventApplier(applied, position, onCommit);
  }

  /** Position up to which all relevant events are in the documents. */
  get passed(): number | null {
    return this.passedPosition;
  }

  /** The number of events applied so far. */
  get events(): number {
    return this.appliedEvents;
  }

  /** Whether the stored checkpoint is behind, because only irrelevant events followed. */
  get isBehind(): boolean {
    return this.passedPosition !== this.storedPosition;
  }

  /**
   * Applies and commits the events of a page. If none is relevant, only {@link passed} advances.
   *
   * @throws PoisonEventError when an event cannot be applied; all events before it are committed
   * @throws FencedError, ReadStoreUnavailableError
   */
  async apply({ events, poison, position, live }: DecodedPage, signal: AbortSignal): Promise<void> {
    const { limits, projection } = this.applied;
    const isShort = live && projection.isBackground === true;
    const maxEvents = isShort ? Math.min(limits.events, limits.backgroundEvents) : limits.events;
    let from = 0;
    const slice = new TimeSlice();
    while (from < events.length) {
      // Gives the other models of this thread a turn: replies may be waiting for them.
      if (slice.isOver || (isShort && from > 0)) await slice.next();
      if (signal.aborted) return;
      const end = this.batchEnd(events, from, maxEvents);
      const last = end === events.length && poison === null;
      this.appliedEvents += end - from;
      await this.applyBatch(events.slice(from, end), last ? position : events[end - 1]!.position);
      from = end;
    }
    if (poison) throw poison;
    this.passedPosition = position;
  }

  /** Stores the checkpoint if it is behind. */
  async storeCheckpoint(): Promise<void> {
    if (this.isBehind && this.passedPosition !== null) await this.commit([], this.passedPosition);
  }

  /** The end of the batch that begins at `from`. An event that is applied alone, or a run of one type, forms a batch of its own. */
  private batchEnd(events: readonly RecordedEvent[], from: number, maxEvents: number): number {
    const { limits } = this.applied;
    const first = this.handlerOf(events[from]!);
    if ('applyAlone' in first || 'applySlices' in first) return from + 1;
    const max = Math.min(events.length, from + maxEvents);
    let characters = 0;
    for (let index = from; index < max; index += 1) {
      const handler = this.handlerOf(events[index]!);
      const belongs = 'applyRun' in first ? handler === first : 'apply' in handler;
      characters += weightOf(events[index]!.data);
      if (!belongs || (characters > limits.characters && index > from)) return index;
    }
    return max;
  }

  private async applyBatch(events: readonly RecordedEvent[], checkpoint: number): Promise<void> {
    const first = events[0]!;
    const handler = this.handlerOf(first);
    const { writer } = this.applied;
    try {
      if ('apply' in handler) return await this.applyTogether(events, checkpoint);
      if ('applySlices' in handler) return await this.applySlices(first, handler, checkpoint);
      const changes =
        'applyRun' in handler ? handler.applyRun(events, writer) : handler.applyAlone(first, writer);
      const { position } = events.at(-1)!;
      const ordered = (await changes).map((change, step) => ({ ...change, point: { position, step } }));
      await this.commit(ordered, checkpoint);
    } catch (error) {
      if (isAboutStores(error) || error instanceof PoisonEventError) throw error;
      if (events.length === 1) throw new PoisonEventError(first, error);
      // One of them causes the error. Applied one by one, each succeeds or is identified.
      for (const event of events) {
        await this.applyBatch([event], event === events.at(-1) ? checkpoint : event.position);
      }
    }
  }

  private async applyTogether(events: readonly RecordedEvent[], checkpoint: number): Promise<void> {
    const { model } = this.applied;
    const handlers = events.map((event) => this.handlerOf(event) as BatchedHandler);
    const unit = await UnitOfWork.load(model, events, handlers);
    for (const [index, event] of events.entries()) {
      try {
        unit.apply(index, event, handlers[index]!);
      } catch (error) {
        if (index > 0) await this.commit(unit.changes(), events[index - 1]!.position);
        throw new PoisonEventError(event, error);
      }
    }
    await this.commit(unit.changes(), checkpoint);
  }

  /** Commits slices under the checkpoint before the event, and the last of them under the checkpoint after it. */
  private async applySlices(event: RecordedEvent, handler: SlicedHandler, checkpoint: number): Promise<void> {
    const { writer } = this.applied;
    const before = this.passedPosition;
    const slice = new TimeSlice();
    let [steps, pending]: [number, readonly OrderedChange[]] = [0, []];
    for await (const changes of handler.applySlices(event, writer)) {
      // Before the first checkpoint there is none to commit a part under.
      const isKept = before === null || pending.length + changes.length <= CHANGES_OF_COMMIT;
      if (!isKept) await this.commit(pending, before);
      const { position } = event;
      const ordered = changes.map((change, index) => ({
        ...change,
        point: { position, step: steps + index },
      }));
      steps += ordered.length;
      pending = isKept ? [...pending, ...ordered] : ordered;
      if (slice.isOver) await slice.next();
    }
    await this.commit(pending, checkpoint);
  }

  private handlerOf({ type }: RecordedEvent): Handler {
    return this.applied.projection.on[type] ?? ignored;
  }

  private async commit(changes: readonly OrderedChange[], position: number): Promise<void> {
    await this.applied.writer.commit({ changes, position });
    this.storedPosition = position;
    this.passedPosition = position;
    this.onCommit(position);
  }
}

const ignored: BatchedHandler = { apply: () => [] };

/** An entry of a list usually becomes a document, such as a subscription, which takes as long as this many characters. */
const ENTRY_WEIGHT = 1_000;

/** The characters in the top-level texts of an event's data, plus the weight of its lists; other data is small. */
function weightOf(data: unknown): number {
  if (typeof data !== 'object' || data === null) return 0;
  let weight = 0;
  for (const value of Object.values(data)) {
    if (typeof value === 'string') weight += value.length;
    else if (Array.isArray(value)) weight += value.length * ENTRY_WEIGHT;
  }
  return weight;
}
