import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { authorizationFor } from '../support/server-process.js';
import type { Members } from './members.js';

/** The requests of the bystanders: `users/me`, a page of the newest 100 messages, and a send. */
export const bystanderKinds = ['users/me', 'a page', 'a send'] as const;

/** The bystanders' results in an interval. */
export interface Meanwhile {
  /** The longest reply time for each of {@link bystanderKinds}, in milliseconds; null: no request. */
  readonly longest: readonly (number | null)[];
  /** Requests that were refused or failed. */
  readonly failed: number;
}

/** The first message to the bystanders' process. */
export interface BystanderTask {
  readonly site: string;
  readonly authorizations: readonly string[];
  readonly channelId: number;
}

/**
 * Three people who use the server all the time. They run in a separate process, so that the work of this one does
 * not delay them.
 */
export class Bystanders {
  private constructor(private readonly process: ChildProcess) {}

  static start(site: string, { bystanders, channelIds }: Members): Bystanders {
    const child = fork(fileURLToPath(new URL('bystander-process.js', import.meta.url)));
    const authorizations = bystanders.map(authorizationFor);
    child.send({ site, authorizations, channelId: channelIds[0]! } satisfies BystanderTask);
    return new Bystanders(child);
  }

  /** Their results since the last call, including the requests that were open at that call. */
  async take(): Promise<Meanwhile> {
    this.process.send('take');
    const [meanwhile] = (await once(this.process, 'message')) as [Meanwhile];
    return meanwhile;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.disconnect();
    await ended;
  }
}

/** The longest reply time of all requests; 0: no request. */
export function maxWait({ longest }: Meanwhile): number {
  return Math.max(0, ...longest.map((milliseconds) => milliseconds ?? 0));
}
