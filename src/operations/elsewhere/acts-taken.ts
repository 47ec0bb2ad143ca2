import { LRUCache } from 'lru-cache';
import type { Logger } from '../../../projections/engine/logger.js';
import type { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import { reasonOf } from '../model-commands.js';
import type { Act, ActAnswerSignal, ActSignal, ReportRebuild } from './acts.js';

/** What {@link ActsTaken} depends on. */
interface ActsTakenOptions {
  readonly signals: Pick<SignalExchange, 'send' | 'receive'>;
  /** The name of this process. */
  readonly self: string;
  /** Carries an act out in this process; the result is plain JSON. */
  readonly carryOut: (act: Act, report: ReportRebuild) => Promise<unknown>;
  readonly logger: Logger;
}

/** The most acts that are carried out at once; more are refused. */
const MAX_RUNNING = 100;

/** How many acts are remembered, so that one whose signal comes twice is carried out once. */
const REMEMBERED = 1_000;

/** Interval in milliseconds at which the progress of an act is told. */
const TELL_EVERY = 1_000;

/** How long an answer can be received, in milliseconds: longer than it is waited for. */
const LIFETIME = 60_000;

/**
 * Carries out the acts that other processes ask this one for. They are recorded by the process that asks. An act names the process that is to
 * take it up, and each start of a process has a new name, so that none repeats what a former one was asked for.
 */
export class ActsTaken {
  private readonly known = new LRUCache<string, true>({ max: REMEMBERED });
  private running = 0;

  constructor(private readonly options: ActsTakenOptions) {
    options.signals.receive<ActSignal>('act', (signal) => this.take(signal));
  }

  private take({ id, to, act }: ActSignal): void {
    if (to !== this.options.self || this.known.has(id)) return;
    this.known.set(id, true);
    if (this.running < MAX_RUNNING) void this.carryOut(id, act);
    else this.answer({ id, state: 'failed', reason: 'Too many orders are being carried out.' });
  }

  private async carryOut(id: string, act: Act): Promise<void> {
    let progress: ActAnswerSignal['progress'] = null;
    const tell = (): void => this.answer({ id, state: 'running', progress });
    tell();
    const timer = setInterval(tell, TELL_EVERY).unref();
    this.running += 1;
    try {
      const result = await this.options.carryOut(act, (reported) => (progress = reported));
      this.answer({ id, state: 'done', result });
    } catch (error) {
      this.answer({ id, state: 'failed', reason: reasonOf(error, this.options.logger) });
    } finally {
      this.running -= 1;
      clearInterval(timer);
    }
  }

  private answer(
    answer: Pick<ActAnswerSignal, 'id' | 'state'> &
      Partial<Pick<ActAnswerSignal, 'progress' | 'result' | 'reason'>>,
  ): void {
    const content: ActAnswerSignal = {
      type: 'act-answer',
      ...{ progress: null, result: null, reason: null },
      ...answer,
    };
    this.options.signals.send({ content, subject: `act-answer:${answer.id}`, lifetime: LIFETIME });
  }
}
