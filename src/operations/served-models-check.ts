import { pause } from '../../projections/engine/pause.js';
import { reasonOf } from '../../projections/engine/poison-event.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { EventStore } from '../stores/event-store/port.js';

/** The checkpoint of a model, as requests see it. */
export interface ServedPosition {
  readonly projection: string;
  /** The checkpoint, read in the way in which requests read the model; null: none. */
  readonly position: number | null;
  /**
   * How long, in milliseconds, an event for the model has been known to be in the log and missing from what
   * requests read; 0: none is missing.
   */
  readonly unseenMilliseconds: number;
}

/** Dependencies of a {@link ServedModelsCheck}. */
interface ServedModelsCheckOptions {
  readonly projections: readonly Pick<Projection, 'name' | 'on'>[];
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>;
  /**
   * Reads a model's checkpoint over the connection that answers requests; undefined: no version of the model serves
   * yet.
   */
  readonly checkpointOf: (projection: string) => Promise<number | null | undefined>;
  readonly report: (served: ServedPosition) => void;
  /** The time between two checks, in milliseconds. */
  readonly interval?: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** What is remembered about a model between two checks. */
interface Known {
  /**
   * The log has no event for the model after the checkpoint `from` (-1: none) up to the position `through`; null:
   * not known.
   */
  readonly clear: { readonly from: number; readonly through: number } | null;
  /** The first event that requests could not read; null: they could read all. */
  readonly unseen: { readonly position: number; readonly since: number } | null;
}

/** A series of reads of the models that failed. */
interface Unanswered {
  readonly since: number;
  /** The reason of the failure; null: no answer. */
  readonly reason: string | null;
}

const INTERVAL_MILLISECONDS = 1_000;

/** A store that does not answer for longer than this, in milliseconds, is faulty. */
const MAX_SILENCE = 3_000;

const nothingKnown: Known = { clear: null, unseen: null };

/**
 * Checks, as long as the process runs, whether what requests read of each model follows the log. The process that
 * writes a model reports its checkpoint, too, but it could be writing to a place from which nobody reads.
 */
export class ServedModelsCheck {
  private readonly known = new Map<string, Known>();
  private readonly now: () => number;
  private unanswered: Unanswered | null = null;

  constructor(private readonly options: ServedModelsCheckOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Runs until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { interval = INTERVAL_MILLISECONDS } = this.options;
    while (!signal.aborted) {
      await this.check();
      await pause(interval, signal);
    }
  }

  /** Checks every model once. */
  async check(): Promise<void> {
    const { projections, eventStore } = this.options;
    // A log that cannot be read says nothing about the models, and is reported elsewhere.
    const logEnd = eventStore.head().then(
      (head) => head ?? -1,
      () => null,
    );
    const [head, positions] = await Promise.all([logEnd, this.positions()]);
    if (head === null) return;
    for (const [index, projection] of projections.entries()) {
      const position = positions[index];
      if (position !== undefined) await this.checkProjection(projection, { position, head }).catch(() => {});
    }
  }

  /** Why the models could not be read for some time; null: they can be read. */
  fault(): string | null {
    if (this.unanswered === null) return null;
    const { since, reason } = this.unanswered;
    const milliseconds = Math.round(this.now() - since);
    if (milliseconds <= MAX_SILENCE) return null;
    return `nothing could be read for ${milliseconds} ms: ${reason ?? 'no answer'}`;
  }

  /**
   * Reads all checkpoints at once, because a store on a server then needs only one round trip. Undefined for a
   * model that does not serve, or cannot be read now.
   */
  private async positions(): Promise<readonly (number | null | undefined)[]> {
    const { projections, checkpointOf } = this.options;
    const { since } = (this.unanswered ??= { since: this.now(), reason: null });
    const answers = await Promise.allSettled(projections.map(({ name }) => checkpointOf(name)));
    const [refusal, ...others] = answers.filter((answer) => answer.status === 'rejected');
    const isSilent = refusal !== undefined && others.length + 1 === answers.length;
    this.unanswered = isSilent ? { since, reason: reasonOf(refusal.reason) } : null;
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
  }

  private async checkProjection(
    { name, on }: Pick<Projection, 'name' | 'on'>,
    { position, head }: { readonly position: number | null; readonly head: number },
  ): Promise<void> {
    const before = this.known.get(name) ?? nothingKnown;
    const isAwaited = before.unseen !== null && (position ?? -1) < before.unseen.position;
    const known = isAwaited
      ? before
      : await this.findUnseen(position ?? -1, { before, head, types: Object.keys(on) });
    this.known.set(name, known);
    const unseenMilliseconds = isAwaited ? this.now() - before.unseen.since : 0;
    this.options.report({ projection: name, position, unseenMilliseconds });
  }

  /** Looks for the first event after a checkpoint, starting at the position up to which the last check found none. */
  private async findUnseen(
    checkpoint: number,
    {
      before,
      head,
      types,
    }: { readonly before: Known; readonly head: number; readonly types: readonly string[] },
  ): Promise<Known> {
    // A checkpoint that went back belongs to another file: nothing is known about the events after it.
    const isKnown = before.clear !== null && before.clear.from <= checkpoint;
    const after = isKnown ? Math.max(checkpoint, before.clear.through) : checkpoint;
    // The log has not grown: nothing has to be read.
    if (head <= after) return { clear: { from: checkpoint, through: after }, unseen: null };
    const part = { after: after === -1 ? null : after, types, pageSize: 1 };
    let through = after;
    for await (const { events, position } of this.options.eventStore.readAll(part)) {
      const [first] = events;
      if (first !== undefined)
        return { clear: null, unseen: { position: first.position, since: this.now() } };
      through = position;
    }
    // The last page may end before the end of the log, if no event of these types follows.
    return { clear: { from: checkpoint, through: Math.max(through, head) }, unseen: null };
  }
}
