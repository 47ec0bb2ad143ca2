import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { defaultOrganizationSettings } from '../../events/values/organization-settings.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { FairLimit } from '../../runtime/fair-limit.js';
import { assertAcceptablePassword } from './users.decide.js';

/** A question to the thread that estimates passwords. */
export interface StrengthQuestion {
  readonly id: number;
  readonly password: string;
  /** What an attacker would try first: names and addresses of the person and of the organization. */
  readonly related: readonly string[];
  /** A password that takes this many guesses is not examined further. */
  readonly enough: number;
}

/** The thread's answer. */
export interface StrengthAnswer {
  readonly id: number;
  readonly guesses: number;
}

/**
 * Milliseconds until an unresponsive thread is terminated. Estimates take a few; a busy machine takes longer.
 */
const TIMEOUT = 60_000;

/** Milliseconds of idleness after which the thread is terminated, to free its dictionaries. */
const IDLE = 30_000;

/** The dictionaries take 80 MB. */
const resourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

interface Waiting {
  readonly answer: (guesses: number) => void;
  readonly fail: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Estimates how many guesses a password takes. One estimate takes milliseconds, but an attacker can make it
 * take a second, so it runs in a thread, which is started on demand. Those who ask take turns.
 */
export class PasswordStrength {
  private thread: Worker | null = null;
  private isClosed = false;
  private readonly limit = new FairLimit<string>({
    atOnce: 1,
    waiting: budgets.waitingPasswords,
    waitingOfRequester: budgets.newPasswordsOfRequester,
  });
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private questions = 0;

  constructor(private readonly startThread: () => Worker = newThread) {}

  /**
   * A lower bound of the number of guesses if it is below `enough`.
   *
   * @param requester who asks: an address or an account
   * @throws ApplicationError `unavailable` when it could not be estimated, or when too many are waiting, which
   * says nothing about the password
   */
  guesses(question: Omit<StrengthQuestion, 'id'>, requester: string): Promise<number> {
    return this.limit.runFor(requester, () => this.estimate(question));
  }

  private async estimate(question: Omit<StrengthQuestion, 'id'>): Promise<number> {
    if (this.isClosed) throw failure('unavailable');
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const id = (this.questions += 1);
    return new Promise((answer, fail) => {
      const timer = setTimeout(() => this.giveUp(), TIMEOUT);
      this.waiting.set(id, { answer, fail, timer });
      thread.postMessage({ ...question, id } satisfies StrengthQuestion);
    });
  }

  /** Terminates the thread for good; pending estimates are rejected. */
  close(): void {
    this.isClosed = true;
    this.giveUp();
  }

  private start(): Worker {
    const thread = this.startThread();
    thread.on('message', (answer: StrengthAnswer) => this.finish(answer));
    // The thread only ends by itself when it fails; the next question starts another one.
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

function newThread(): Worker {
  return new Worker(new URL('./password-strength-thread.js', import.meta.url), { resourceLimits });
}

/** The person who is to have the password. */
interface PasswordOwner {
  readonly email: string;
  readonly fullName: string;
}

/** The organization's rules for passwords. Existing passwords stay valid. */
@Injectable()
export class PasswordPolicy implements OnApplicationShutdown {
  constructor(
    private readonly follower: DirectoryFollower,
    @Inject(PasswordStrength) private readonly strength: Pick<PasswordStrength, 'guesses' | 'close'>,
  ) {}

  /**
   * @param requester who asks, so that requesters take turns: an address or an account
   * @throws ApplicationError `passwordTooWeak`, `unavailable`, or those of {@link assertAcceptablePassword}
   */
  async assertAcceptable(
    password: string,
    { email, fullName }: PasswordOwner,
    requester: string,
  ): Promise<void> {
    assertAcceptablePassword(password);
    const settings = this.follower.current().organization?.settings ?? defaultOrganizationSettings;
    const { password_min_guesses: enough, name } = settings;
    if (enough === 0) return;
    const related = [email, ...email.split(/[@.+_-]/), fullName, ...fullName.split(' '), name];
    const question = { password, related: related.filter(isWord), enough };
    const guesses = await this.strength.guesses(question, requester);
    if (guesses < enough) throw failure('passwordTooWeak');
  }

  onApplicationShutdown(): void {
    this.strength.close();
  }
}

function isWord(text: string): boolean {
  return text.length > 2;
}
