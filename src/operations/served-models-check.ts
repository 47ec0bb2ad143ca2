import { pause } from '../../projections/engine/pause.js';
import { reasonOf } from '../../projections/engine/poison-event.js';
import type { Projection } from '../../projections/engine/projection.js';
import type { EventStore } from '../stores/event-store/port.js';

/** How far a model has come as requests read it. */
export interface ServedPosition {
  readonly projection: string;
  /** Its checkpoint, read as requests read the model; null: it has none. */
  readonly position: number | null;
  /** For how long an event of the model's has been known to be in the log that is not in what requests read, in milliseconds; 0: none is. */
  readonly unseenMilliseconds: number;
}

/** What a {@link ServedModelsCheck} works with. */
export interface ServedModelsCheckOptions {
  readonly projections: readonly Pick<Projection, 'name' | 'on'>[];
  readonly eventStore: Pick<EventStore, 'head' | 'readAll'>;
  /** Reads a model's checkpoint over the very connection that answers requests; undefined: nothing of the model serves yet. */
  readonly checkpointOf: (projection: string) => Promise<number | null | undefined>;
  readonly report: (served: ServedPosition) => void;
  /** Between two looks, in milliseconds. */
  readonly interval?: number;
  /** A clock that never goes back, in milliseconds. */
  readonly now?: () => number;
}

/** What is remembered of one model between two looks. */
interface Known {
  /** The log holds nothing for the model after `from`, a checkpoint that it had (-1: none), through `through`; null: that is not known. */
  readonly clear: { readonly from: number; readonly through: number } | null;
  /** The first event that requests did not find; null: they found all. */
  readonly unseen: { readonly position: number; readonly since: number } | null;
}

/** What was asked of the models and not answered yet. */
interface Unanswered {
  readonly since: number;
  /** Why it was not; null: nothing came back. */
  readonly reason: string | null;
}

const INTERVAL_MILLISECONDS = 1_000;

/** How long a store may take to answer before that is a fault, in milliseconds. */
const MAX_SILENCE = 3_000;

const nothingKnown: Known = { clear: null, unseen: null };

/**
 * Looks, for as long as a process runs, whether what requests read of each model follows the log. Whoever writes a model says how far it has
 * come, too, but could be writing where nobody reads.
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
      await this.look();
      await pause(interval, signal);
    }
  }

  /** Looks at every model once. */
  async look(): Promise<void> {
    const { projections, eventStore } = this.options;
    // A log that cannot be read now says nothing about the models, and others tell that it cannot.
    const logEnd = eventStore.head().then(
      (head) => head ?? -1,
      () => null,
    );
    const [head, positions] = await Promise.all([logEnd, this.positions()]);
    if (head === null) return;
    for (const [index, projection] of projections.entries()) {
      const position = positions[index];
      if (position !== undefined) await this.lookBehind(projection, { position, head }).catch(() => {});
    }
  }

  /** Why nothing could be read of the models for a while; null: something could. */
  fault(): string | null {
    if (this.unanswered === null) return null;
    const { since, reason } = this.unanswered;
    const milliseconds = Math.round(this.now() - since);
    if (milliseconds <= MAX_SILENCE) return null;
    return `nothing could be read for ${milliseconds} ms: ${reason ?? 'no answer'}`;
  }

  /** Asks for all at once, which a store on a server answers in one reply; undefined for what does not serve, or cannot be read now. */
  private async positions(): Promise<readonly (number | null | undefined)[]> {
    const { projections, checkpointOf } = this.options;
    const { since } = (this.unanswered ??= { since: this.now(), reason: null });
    const answers = await Promise.allSettled(projections.map(({ name }) => checkpointOf(name)));
    const [refusal, ...others] = answers.filter((answer) => answer.status === 'rejected');
    const isSilent = refusal !== undefined && others.length + 1 === answers.length;
    this.unanswered = isSilent ? { since, reason: reasonOf(refusal.reason) } : null;
    return answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined));
  }

  private async lookBehind(
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

  /** Looks for the first event behind a checkpoint, beginning where the last look found that nothing was. */
  private async findUnseen(
    checkpoint: number,
    {
      before,
      head,
      types,
    }: { readonly before: Known; readonly head: number; readonly types: readonly string[] },
  ): Promise<Known> {
    // A checkpoint that has gone back belongs to another file: nothing is known about what follows it.
    const isKnown = before.clear !== null && before.clear.from <= checkpoint;
    const after = isKnown ? Math.max(checkpoint, before.clear.through) : checkpoint;
    // Nothing came since: there is no need to read.
    if (head <= after) return { clear: { from: checkpoint, through: after }, unseen: null };
    const part = { after: after === -1 ? null : after, types, pageSize: 1 };
    let through = after;
    for await (const { events, position } of this.options.eventStore.readAll(part)) {
      const [first] = events;
      if (first !== undefined)
        return { clear: null, unseen: { position: first.position, since: this.now() } };
      through = position;
    }
    // A page may end before the log does, where nothing that was asked for follows.
    return { clear: { from: checkpoint, through: Math.max(through, head) }, unseen: null };
  }
}
