import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { authorizationFor } from '../support/server-process.js';
import type { Members } from './members.js';

/** What others ask meanwhile: who they are, a page of the 100 newest, and a send. */
export const bystanderKinds = ['users/me', 'a page', 'a send'] as const;

/** How others fared in a stretch of time. */
export interface Meanwhile {
  /** Milliseconds that the slowest answer to each of {@link bystanderKinds} took; null: none was asked for. */
  readonly longest: readonly (number | null)[];
  /** Requests that were refused or failed. */
  readonly failed: number;
}

/** What the process of the bystanders is told first. */
export interface BystanderTask {
  readonly site: string;
  readonly authorizations: readonly string[];
  readonly channelId: number;
}

/** Three people who use the server all the time, from a process of its own: what this one does keeps none of them waiting. */
export class Bystanders {
  private constructor(private readonly process: ChildProcess) {}

  static start(site: string, { bystanders, channelIds }: Members): Bystanders {
    const child = fork(fileURLToPath(new URL('bystander-process.js', import.meta.url)));
    const authorizations = bystanders.map(authorizationFor);
    child.send({ site, authorizations, channelId: channelIds[0]! } satisfies BystanderTask);
    return new Bystanders(child);
  }

  /** How they fared since this was last asked, with what they were waiting for when it was. */
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

/** The slowest of all that was asked; 0: nothing was. */
export function maxWait({ longest }: Meanwhile): number {
  return Math.max(0, ...longest.map((milliseconds) => milliseconds ?? 0));
}
