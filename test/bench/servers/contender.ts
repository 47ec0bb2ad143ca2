import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { runTool } from '../large/operations.js';
import { untilReadable, writeArchive } from '../support/archive.js';
import { secondsOf } from '../support/rounds.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';

/** The product on stores of one kind, with a long conversation in them. */
export class Contender {
  private running: ServerProcess | null = null;

  private constructor(
    readonly folder: string,
    /** Where its stores are; those that it does not name are in the folder. */
    private readonly environment: Readonly<Record<string, string>>,
    readonly channelId: number,
    private readonly messages: number,
  ) {}

  /** Writes so many messages into the log of an organization of its own, and into nothing else. */
  static async make(
    folder: string,
    environment: Readonly<Record<string, string>>,
    messages: number,
  ): Promise<Contender> {
    const { channelId } = await writeArchive(folder, messages, environment);
    return new Contender(folder, environment, channelId, messages);
  }

  /** @throws Error unless it runs */
  get product(): ServerProcess {
    if (this.running === null) throw new Error('The server does not run');
    return this.running;
  }

  owner(): Promise<ApiClient> {
    return ownerOf(this.product, this.folder);
  }

  /** Starts it and waits until everything is shown. @returns the seconds that it takes */
  start(): Promise<number> {
    return secondsOf(async () => {
      this.running = await startProduct(this.folder, this.environment);
      await untilReadable(await this.owner(), this.messages);
      while (!(await fetch(`${this.running.site}/health/ready`)).ok) await pause(20);
    });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.running = null;
  }

  /** Starts it without read models, as after an import, and stops it again. @returns the seconds until everything is shown */
  async startAnew(): Promise<number> {
    await rm(join(this.folder, 'models'), { recursive: true, force: true });
    return this.startOnce();
  }

  /** Starts it and stops it again. @returns the seconds until everything is shown */
  async startOnce(): Promise<number> {
    try {
      return await this.start();
    } finally {
      await this.stop();
    }
  }

  /** Runs the command line beside it. @returns the seconds that it takes */
  run(...parameters: readonly string[]): Promise<number> {
    return secondsOf(async () => void (await runTool(this.folder, parameters, this.environment)));
  }
}
