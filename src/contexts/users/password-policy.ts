import { Worker } from 'node:worker_threads';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { defaultOrganizationSettings } from '../../events/values/organization-settings.js';
import { failure } from '../../kernel/errors.js';
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
 * take seconds, so it runs in a thread, which is started on demand.
 */
export class PasswordStrength {
  private thread: Worker | null = null;
  private idle: NodeJS.Timeout | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private questions = 0;

  /**
   * A lower bound of the number of guesses if it is below `enough`.
   *
   * @throws ApplicationError `unavailable` when it could not be estimated, which says nothing about the
   * password
   */
  guesses(question: Omit<StrengthQuestion, 'id'>): Promise<number> {
    clearTimeout(this.idle);
    const thread = (this.thread ??= this.start());
    const id = (this.questions += 1);
    return new Promise((answer, fail) => {
      const timer = setTimeout(() => this.giveUp(), TIMEOUT);
      this.waiting.set(id, { answer, fail, timer });
      thread.postMessage({ ...question, id } satisfies StrengthQuestion);
    });
  }

  /** Terminates the thread; pending estimates are rejected. */
  close(): void {
    clearTimeout(this.idle);
    this.giveUp();
  }

  private start(): Worker {
    const thread = new Worker(new URL('./password-strength-thread.js', import.meta.url), { resourceLimits });
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

  /** @throws ApplicationError `passwordTooWeak`, or those of {@link assertAcceptablePassword} */
  async assertAcceptable(password: string, { email, fullName }: PasswordOwner): Promise<void> {
    assertAcceptablePassword(password);
    const settings = this.follower.current().organization?.settings ?? defaultOrganizationSettings;
    const { password_min_guesses: enough, name } = settings;
    if (enough === 0) return;
    const related = [email, ...email.split(/[@.+_-]/), fullName, ...fullName.split(' '), name];
    const guesses = await this.strength.guesses({ password, related: related.filter(isWord), enough });
    if (guesses < enough) throw failure('passwordTooWeak');
  }

  onApplicationShutdown(): void {
    this.strength.close();
  }
}

function isWord(text: string): boolean {
  return text.length > 2;
}
