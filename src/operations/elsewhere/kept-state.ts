import { isDeepStrictEqual } from 'node:util';
import type { ModelStatus } from '../../../projections/engine/model-position.js';
import { isKeptHere } from '../../../projections/engine/progress.js';
import type { RunningBuild } from '../../../projections/engine/projector-protocol.js';
import type { ReactorStatus } from '../../../projections/engine/reactor-status.js';
import type { Signal, SignalExchange } from '../../realtime/signals/signal-exchange.js';

/** What a process keeps: the read models and reactors that it runs, and the builds that are running in it. */
export interface KeptState {
  readonly models: readonly ModelStatus[];
  readonly builds: readonly RunningBuild[];
  readonly reactors: readonly ReactorStatus[];
}

/** Tells other processes what one of them keeps. */
export interface KeptStateSignal extends Signal, KeptState {
  readonly type: 'kept-state';
  /** The process that sends it. */
  readonly from: string;
}

/** Interval between looks at the state, in milliseconds: a change is reported after this time. */
const LOOK_EVERY = 1_000;

/** A state that does not change is reported at this interval, in milliseconds. */
const REPEAT_AFTER = 5_000;

/**
 * How long a report is valid, in milliseconds: longer than a lease, so that the next process has taken the models over
 * when the report of one that died is no longer valid.
 */
const LIFETIME = 15_000;

/** Reports to other processes what this one keeps: when it changes, and otherwise as long as this process lives. */
export class StateReporter {
  private sent: KeptState = { models: [], builds: [], reactors: [] };
  private sentAt = 0;

  /** @param now a monotonic clock, in milliseconds */
  constructor(
    private readonly signals: Pick<SignalExchange, 'send'>,
    private readonly self: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Reports until the signal is aborted. Does not keep the process alive. */
  run(read: () => KeptState, signal: AbortSignal): void {
    this.report(read());
    const timer = setInterval(() => this.report(read()), LOOK_EVERY).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Reports a state if it has changed, or was reported long ago. A process that keeps nothing has nothing to repeat. */
  report(state: KeptState): void {
    const kept = keptOf(state);
    const isSame = isDeepStrictEqual(kept, this.sent);
    const isEmpty = kept.models.length + kept.builds.length + kept.reactors.length === 0;
    if (isSame && (isEmpty || this.now() - this.sentAt < REPEAT_AFTER)) return;
    this.sent = kept;
    this.sentAt = this.now();
    const content: KeptStateSignal = { type: 'kept-state', from: this.self, ...kept };
    this.signals.send({ content, subject: `kept-state:${this.self}`, lifetime: LIFETIME });
  }
}

/** The states that other processes reported, as long as they are valid. */
export class ReportedStates {
  private readonly byProcess = new Map<string, { readonly state: KeptState; readonly until: number }>();

  /** @param now a monotonic clock, in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Takes a report. */
  take({ from, models, builds, reactors }: KeptStateSignal): void {
    // The latest report is last: it counts if two processes report the same model.
    this.byProcess.delete(from);
    this.byProcess.set(from, { state: { models, builds, reactors }, until: this.now() + LIFETIME });
  }

  /** A model that another process keeps, and the name of that process; null: none has reported it. */
  model(name: string): Kept<ModelStatus> | null {
    return this.last(({ models }) => models.find(({ projection }) => projection === name));
  }

  /** A reactor that another process runs, and the name of that process; null: none has reported it. */
  reactor(name: string): Kept<ReactorStatus> | null {
    return this.last(({ reactors }) => reactors.find(({ reactor }) => reactor === name));
  }

  /** The builds that are running in other processes. */
  builds(): readonly RunningBuild[] {
    return this.valid().flatMap(([, { builds }]) => builds);
  }

  private last<Status>(find: (state: KeptState) => Status | undefined): Kept<Status> | null {
    const found = this.valid().flatMap(([process, state]) => {
      const status = find(state);
      return status === undefined ? [] : [{ process, status }];
    });
    return found.at(-1) ?? null;
  }

  private valid(): readonly (readonly [process: string, state: KeptState])[] {
    const now = this.now();
    for (const [process, { until }] of this.byProcess) if (until <= now) this.byProcess.delete(process);
    return [...this.byProcess].map(([process, { state }]) => [process, state]);
  }
}

/** The status of a model or reactor, and the process that keeps it. */
interface Kept<Status> {
  readonly process: string;
  readonly status: Status;
}

/** What others keep, or nobody, is not reported. */
function keptOf({ models, builds, reactors }: KeptState): KeptState {
  return {
    models: models.filter(({ state }) => isKeptHere(state)),
    builds,
    reactors: reactors.filter(({ state }) => state !== 'standby'),
  };
}
