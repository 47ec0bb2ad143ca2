import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { runTool } from '../large/operations.js';
import { untilReadable, writeArchive } from '../support/archive.js';
import { secondsOf } from '../support/rounds.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';

type Environment = Readonly<Record<string, string>>;

/** The product with one kind of stores, which contain a long conversation. */
export class Contender {
  private running: ServerProcess | null = null;

  private constructor(
    readonly folder: string,
    /** The addresses of its stores; all others are in the folder. */
    private readonly environment: Environment,
    readonly channelId: number,
    private readonly messages: number,
  ) {}

  /** Creates an organization and writes a number of messages to its log only. */
  static async make(folder: string, environment: Environment, messages: number): Promise<Contender> {
    const { channelId } = await writeArchive(folder, messages, environment);
    return new Contender(folder, environment, channelId, messages);
  }

  /** @throws Error when the server is not running */
  get product(): ServerProcess {
    if (this.running === null) throw new Error('The server does not run');
    return this.running;
  }

  owner(): Promise<ApiClient> {
    return ownerOf(this.product, this.folder);
  }

  /** Starts the server and waits until all messages can be read. @returns the seconds */
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

  /**
   * Starts the server without read models, as after an import, and stops it again. @returns the seconds until all
   * messages can be read
   */
  async startAnew(): Promise<number> {
    await rm(join(this.folder, 'models'), { recursive: true, force: true });
    return this.startOnce();
  }

  /** Starts the server and stops it again. @returns the seconds until all messages can be read */
  async startOnce(): Promise<number> {
    try {
      return await this.start();
    } finally {
      await this.stop();
    }
  }

  /** Runs a command while the server runs. @returns the seconds */
  run(...parameters: readonly string[]): Promise<number> {
    return secondsOf(async () => void (await runTool(this.folder, parameters, this.environment)));
  }
}

/** The two sides of a comparison, which differ only in the location of some stores. */
export interface Contenders {
  readonly embedded: Contender;
  readonly servers: Contender;
}

/**
 * Creates both contenders with a number of messages each.
 *
 * @param environments `servers`: the addresses of the stores on servers; `both`: the environment of both contenders
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
