import { randomUUID } from 'node:crypto';
import type { SignalExchange } from '../../realtime/signals/signal-exchange.js';
import { OperationRefusedError } from '../dead-letters.js';
import type { Act, ActAnswerSignal, ActSignal, ReportRebuild } from './acts.js';

/** An act that another process was asked to carry out. */
interface OrderedAct {
  readonly report: ReportRebuild;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  /** Ends the wait for the next sign of life. */
  readonly timer: NodeJS.Timeout;
}

/** How long the other process may take an act up, in milliseconds. */
const TAKEN_WITHIN = 10_000;

/** How long an answer may take, in milliseconds: longer than an act can still be taken up, though clocks differ by some seconds. */
const ANSWERED_WITHIN = 20_000;

/** The acts that this process asked others to carry out. */
export class ActsOrdered {
  private readonly acts = new Map<string, OrderedAct>();

  constructor(private readonly signals: Pick<SignalExchange, 'send' | 'receive'>) {
    signals.receive<ActAnswerSignal>('act-answer', (answer) => this.takeAnswer(answer));
  }

  /**
   * Asks a process to carry out an act; resolves with the result.
   *
   * @throws OperationRefusedError when it fails there, or when that process does not answer
   */
  order(to: string, act: Act, report: ReportRebuild): Promise<unknown> {
    const id = randomUUID();
    return new Promise((resolve, reject) => {
      const late = (): void => {
        this.acts.delete(id);
        reject(new OperationRefusedError(silenceOf(act)));
      };
      const timer = setTimeout(late, ANSWERED_WITHIN).unref();
      this.acts.set(id, { report, resolve, reject, timer });
      const content: ActSignal = { type: 'act', id, to, act };
      this.signals.send({ content, subject: `act:${id}`, lifetime: TAKEN_WITHIN });
    });
  }

  private takeAnswer({ id, state, progress, result, reason }: ActAnswerSignal): void {
    const act = this.acts.get(id);
    if (act === undefined) return;
    if (state === 'running') {
      act.timer.refresh();
      if (progress !== null) act.report(progress);
      return;
    }
    clearTimeout(act.timer);
    this.acts.delete(id);
    if (state === 'done') act.resolve(result);
    else act.reject(new OperationRefusedError(reason ?? 'It failed.'));
  }
}

function silenceOf({ projection }: Act): string {
  return `The process that keeps ${projection} has not answered for ${ANSWERED_WITHIN / 1000} s. It may have carried the order out: look at the state before you give it again.`;
}
