import { setTimeout as pause } from 'node:timers/promises';
import { ApiClient } from '../../support/api-client.js';
import { residentMegabytes } from '../support/resident-memory.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';
import { inTemporaryFolder } from '../support/temporary-folder.js';
import {
  allowedGrowth,
  growthOf,
  isFlat,
  percentile,
  quartersOf,
  type SoakSample,
  type Tolerances,
} from './quarters.js';
import { SteadyLoad, type Crew } from './steady-load.js';

/** Options of a steady load on a server. */
export interface SoakOptions {
  readonly minutes: number;
  /** Requests a second. */
  readonly rate: number;
  readonly tolerances: Tolerances;
}

const PEOPLE = 8;
const LINES = 40;

/**
 * Puts a server under a steady, mixed load and checks whether memory and latency stay flat. The stores are
 * embedded, or those that `EVENTSTORE_URL` and `MONGODB_URL` name, which keep the data afterwards.
 *
 * @returns the report, and whether every request succeeded and the figures stayed flat
 */
export async function soak(
  options: SoakOptions,
): Promise<{ readonly report: string; readonly isFlat: boolean }> {
  return inTemporaryFolder(async (folder) => {
    const product = await startProduct(folder, serversOf(process.env));
    try {
      const crew = await crewOf(await ownerOf(product, folder));
      return reportOf(await underLoad(product, crew, options), options);
    } finally {
      await product.stop();
    }
  });
}

function serversOf(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = ['EVENTSTORE_URL', 'MONGODB_URL'] as const;
  return Object.fromEntries(names.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])));
}

async function crewOf(owner: ApiClient): Promise<Crew> {
  const run = Date.now().toString(36);
  const people: ApiClient[] = [];
  const ids: number[] = [];
  for (let number = 0; number < PEOPLE; number += 1) {
    const [email, password] = [`soak-${run}-${number}@example.com`, `mauve-loom-${run}-${number}`];
    const full_name = `Soak ${number}`;
    ids.push((await owner.must('post', 'users', { email, password, full_name }))['user_id'] as number);
    const { api_key } = await new ApiClient(owner.site, null).must('post', 'fetch_api_key', {
      username: email,
      password,
    });
    people.push(new ApiClient(owner.site, { email, key: api_key as string }));
  }
  return { people, channelId: await owner.createChannel(`soak ${run}`, { principals: ids }) };
}

interface SoakRun {
  readonly samples: readonly SoakSample[];
  readonly failed: readonly string[];
}

async function underLoad(
  { pid }: ServerProcess,
  crew: Crew,
  { minutes, rate }: SoakOptions,
): Promise<SoakRun> {
  const ending = new AbortController();
  const load = new SteadyLoad(crew);
  const running = load.run(rate, ending.signal);
  const samples: SoakSample[] = [];
  const failed: string[] = [];
  const interval = (minutes * 60_000) / LINES;
  const began = performance.now();
  say('    time    requests/s      p50      p99   memory');
  for (let line = 1; line <= LINES; line += 1) {
    await pause(Math.max(0, began + line * interval - performance.now()));
    const { latencies, failed: ofInterval } = load.takeInterval();
    const seconds = (performance.now() - began) / 1000;
    samples.push({ seconds, latencies, megabytes: await residentMegabytes(pid) });
    failed.push(...ofInterval);
    say(lineOf(samples.at(-1)!, (latencies.length * 1000) / interval));
    if (ofInterval.length > 0) say(`  ${ofInterval.length} failed, such as: ${ofInterval[0]!}`);
  }
  ending.abort();
  await running;
  return { samples, failed: [...failed, ...load.takeInterval().failed] };
}

function lineOf({ seconds, latencies, megabytes }: SoakSample, rate: number): string {
  const cells = [
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`.padStart(8),
    rate.toFixed(1).padStart(13),
    `${percentile(latencies, 0.5).toFixed(1)} ms`.padStart(9),
    `${percentile(latencies, 0.99).toFixed(0)} ms`.padStart(8),
    `${megabytes.toFixed(0)} MB`.padStart(8),
  ];
  return cells.join(' ');
}

function reportOf(
  { samples, failed }: SoakRun,
  { minutes, rate, tolerances }: SoakOptions,
): { readonly report: string; readonly isFlat: boolean } {
  const { second, last } = quartersOf(samples);
  const growth = growthOf(samples);
  const allowed = allowedGrowth(tolerances);
  const figure = (
    what: string,
    [from, to]: readonly [string, string],
    [grew, max]: readonly [number, number],
  ): string =>
    `${what}: ${from} in the second quarter, ${to} in the last: ${grew.toFixed(2)} times (at most ${max.toFixed(2)})`;
  const report = [
    `${minutes} minutes at ${rate} requests/s by ${PEOPLE} people`,
    figure(
      'Memory',
      [`${second.megabytes.toFixed(0)} MB`, `${last.megabytes.toFixed(0)} MB`],
      [growth.megabytes, allowed.megabytes],
    ),
    figure('p99', [`${second.p99.toFixed(0)} ms`, `${last.p99.toFixed(0)} ms`], [growth.p99, allowed.p99]),
    `${failed.length} requests failed`,
  ];
  return { report: report.join('\n'), isFlat: failed.length === 0 && isFlat(growth, tolerances) };
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
