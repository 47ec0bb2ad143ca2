import type { StandInCounts } from '../../support/eventstoredb-stand-in/stand-in.js';
import { quantity, type Measurement, type Size } from '../measurement.js';
import { putUnderLoad, type LoadRequest, type LoadResult } from '../support/load.js';
import { editRequests, sendRequests } from '../support/requests.js';
import { inRounds, median, medianRatio, type Samples } from '../support/rounds.js';
import { authorizationOf } from '../support/server-process.js';
import { besideEmbedded } from './beside-embedded.js';
import type { Contender, Contenders } from './contender.js';
import type { MeasuredLog } from './measured-log.js';

/** The numbers of concurrent senders. */
export const STEPS = [{ connections: 1 }, { connections: 10 }, { connections: 50 }] as const;

const MANY = 50;
const EDITORS = 10;

/** The result of a load, and the requests to the log for each reply; null: not counted. */
interface Counted extends LoadResult {
  readonly each: { readonly appends: number; readonly reads: number } | null;
}

type Requests = (contender: Contender) => Promise<readonly LoadRequest[]>;

/** Sends and edits compared to embedded stores, and the number of requests to the log. */
export async function measureWriting(
  contenders: Contenders,
  log: MeasuredLog,
  size: Size,
): Promise<readonly Measurement[]> {
  const writing = new Writing(contenders, log, size);
  const measurements: Measurement[] = [];
  for (const { connections } of STEPS) {
    const what = `send, ${connections} at a time`;
    const results = await writing.load(sends, connections);
    measurements.push(writing.compare(what, results, 'sends/s'));
    if (connections < MANY) continue;
    measurements.push(writing.tail(what, results.servers));
    measurements.push(...countsOf(what, results.servers, { appends: 0.2, reads: 0 }));
  }
  const what = `edit, ${EDITORS} at a time`;
  const edited = await writing.load(edits, EDITORS);
  // The count for edits includes seals and other events that the server appends on its own.
  const counts = countsOf(what, edited.servers, { appends: 1.05, reads: 2.05 });
  return [...measurements, writing.compare(what, edited, 'edits/s'), ...counts];
}

const sends: Requests = async (contender) =>
  sendRequests(contender.channelId, authorizationOf(await contender.owner()));

const edits: Requests = async (contender) => {
  const owner = await contender.owner();
  const ids: number[] = [];
  for (let index = 0; index < 2 * MANY; index += 1)
    ids.push(await owner.sendToChannel(contender.channelId, 'edited', 'To be edited.'));
  return editRequests(ids, authorizationOf(owner));
};

class Writing {
  private readonly seconds: number;
  private readonly rounds: number;

  constructor(
    private readonly contenders: Contenders,
    private readonly log: MeasuredLog,
    { quick }: Size,
  ) {
    this.seconds = quick ? 1 : 4;
    this.rounds = quick ? 1 : 5;
  }

  async load(
    requests: Requests,
    connections: number,
  ): Promise<Readonly<Record<keyof Contenders, Samples<Counted>>>> {
    const { embedded, servers } = this.contenders;
    const [onEmbedded, onServers] = [await requests(embedded), await requests(servers)];
    return inRounds(
      { count: this.rounds, warmUp: true },
      {
        embedded: () => this.counted(embedded, onEmbedded, connections),
        servers: () => this.counted(servers, onServers, connections),
      },
    );
  }

  compare(
    what: string,
    results: Readonly<Record<keyof Contenders, Samples<LoadResult>>>,
    unit: string,
  ): Measurement {
    const rates = {
      embedded: results.embedded.map(({ rate }) => rate),
      servers: results.servers.map(({ rate }) => rate),
    };
    return { ...besideEmbedded(what, rates, unit), target: { atLeast: 0.6 }, work: this.work };
  }

  tail(what: string, results: Samples<LoadResult>): Measurement {
    const [p99, p50] = [results.map((result) => result.p99), results.map((result) => result.p50)];
    return {
      what: `${what}: 99th percentile`,
      ours: quantity(median(p99), 'ms'),
      beside: { what: 'the median send', result: quantity(median(p50), 'ms') },
      ratio: medianRatio(p99, p50),
      target: { atMost: 3 },
      work: this.work,
    };
  }

  private get work(): string {
    return `${this.rounds} × ${this.seconds} s; encrypted, appended and in the read model before the reply`;
  }

  private async counted(
    { product }: Contender,
    requests: readonly LoadRequest[],
    connections: number,
  ): Promise<Counted> {
    const before = await this.log.counts();
    const result = await putUnderLoad({ site: product.site, requests, connections, seconds: this.seconds });
    const after = await this.log.counts();
    if (before === null || after === null) return { ...result, each: null };
    const each = {
      appends: (after.appends - before.appends) / result.replies,
      reads: (readsForRequests(after) - readsForRequests(before)) / result.replies,
    };
    return { ...result, each };
  }
}

/** Streams that jobs read at intervals, regardless of requests. */
const STREAMS_OF_JOBS: ReadonlySet<string> = new Set(['erasures', 'exports', 'outgoing-webhooks', 'seals']);

function readsForRequests({ reads }: StandInCounts): number {
  const asked = Object.entries(reads).filter(([stream]) => !STREAMS_OF_JOBS.has(stream));
  return asked.reduce((sum, [, count]) => sum + count, 0);
}

function countsOf(
  what: string,
  results: Samples<Counted>,
  atMost: { readonly appends: number; readonly reads: number },
): readonly Measurement[] {
  const each = results.flatMap((result) => result.each ?? []);
  if (each.length === 0) return [];
  return (['appends', 'reads'] as const).map((name) => {
    const count = median(each.map((counts) => counts[name]));
    return {
      what: `${what}: ${name} of the log`,
      ours: quantity(count, `a request`),
      beside: { what: 'requests', result: '1' },
      ratio: count,
      target: { atMost: atMost[name] },
      work: 'counted by the stand-in; without subscriptions and what jobs look into',
    };
  });
}
