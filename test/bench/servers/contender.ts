import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { runTool } from '../large/operations.js';
import { untilReadable, writeArchive } from '../support/archive.js';
import { secondsOf } from '../support/rounds.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';

type Environment = Readonly<Record<string, string>>;

/** The product on stores of one kind, with a long conversation in them. */
export class Contender {
  private running: ServerProcess | null = null;

  private constructor(
    readonly folder: string,
    /** Where its stores are; those that it does not name are in the folder. */
    private readonly environment: Environment,
    readonly channelId: number,
    private readonly messages: number,
  ) {}

  /** Writes so many messages into the log of an organization of its own, and into nothing else. */
  static async make(folder: string, environment: Environment, messages: number): Promise<Contender> {
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

/** What stands beside each other: the same, but for where one store or another is. */
export interface Contenders {
  readonly embedded: Contender;
  readonly servers: Contender;
}

/**
 * Makes both, with so many messages in each.
 *
 * @param environments `servers`: where the stores of the one on servers are; `both`: what both are started with
 */
export async function makeContenders(
  folder: string,
  { servers, both = {} }: { readonly servers: Environment; readonly both?: Environment },
  messages: number,
): Promise<Contenders> {
  const [own, onServers] = [join(folder, 'embedded'), join(folder, 'servers')];
  await Promise.all([mkdir(own), mkdir(onServers)]);
  return {
    embedded: await Contender.make(own, both, messages),
    servers: await Contender.make(onServers, { ...both, ...servers }, messages),
  };
}

export async function startBoth({ embedded, servers }: Contenders): Promise<void> {
  await Promise.all([embedded.start(), servers.start()]);
}

export async function stopBoth({ embedded, servers }: Contenders): Promise<void> {
  await Promise.all([embedded.stop(), servers.stop()]);
}
