import { Worker } from 'node:worker_threads';
import { failure } from '../../kernel/errors.js';

/** What the thread that estimates is asked. */
export interface StrengthQuestion {
  readonly id: number;
  readonly password: string;
  /** What an attacker would try first: names and addresses of the person and of the organization. */
  readonly related: readonly string[];
  /** A password that takes so many guesses need not be looked at any further. */
  readonly enough: number;
}

/** What it answers. */
export interface StrengthAnswer {
  readonly id: number;
  readonly guesses: number;
}

/** Milliseconds until a thread that says nothing is ended. Estimates take a few; what takes long is a busy machine. */
const TIMEOUT = 60_000;

/** Milliseconds after which the thread is ended, with the dictionaries that it holds. */
const IDLE = 30_000;

/** The dictionaries take 80 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  readonly answer: (guesses: number) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * How many guesses passwords would take. Estimating one takes milliseconds, and seconds where somebody wants it to, so it is done in
 * a thread, which is started when it is needed.
 */
export class PasswordStrength {
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private asked = 0;

  /**
   * At least so many guesses, where that is less than `enough`.
   *
   * @throws ApplicationError `unavailable` when it could not be estimated, which says nothing of the password
   */
  guesses(question: Omit<StrengthQuestion, 'id'>): Promise<number> {
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const id = (this.asked += 1);
    return new Promise((answer, fail) => {
      const timer = setTimeout(() => this.giveUp(), TIMEOUT);
      this.waiting.set(id, { answer, fail, timer });
      thread.postMessage({ ...question, id } satisfies StrengthQuestion);
    });
  }

  /** Ends the thread; whoever waits for an estimate is told to come back. */
  close(): void {
    clearTimeout(this.idle);
    this.giveUp();
  }

  private start(): Worker {
    const thread = new Worker(new URL('./password-strength-thread.js', import.meta.url), { resourceLimits });
    thread.on('message', (answer: StrengthAnswer) => this.finish(answer));
    // It ends by itself only when it fails; the next question starts another.
    thread.on('error', () => this.giveUp());
    thread.unref();
    return thread;
  }

  private finish({ id, guesses }: StrengthAnswer): void {
    const waiting = this.waiting.get(id);
    if (waiting === undefined) return;
    this.waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.answer(guesses);
    if (this.waiting.size === 0) this.idle = setTimeout(() => this.giveUp(), IDLE).unref();
  }

  private giveUp(): void {
    void this.thread?.terminate();
    this.thread = null;
    clearTimeout(this.idle);
    const given = [...this.waiting.values()];
    this.waiting.clear();
    for (const { fail, timer } of given) {
      clearTimeout(timer);
      fail(failure('unavailable'));
    }
  }
}
