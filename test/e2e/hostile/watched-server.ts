import { existsSync, readFileSync } from 'node:fs';
import type { ApiClient } from '../../support/api-client.js';
import { eventually } from '../../support/eventually.js';
import type { TestServer } from '../../support/server.js';
import type { HostileRequest } from './requests.js';

/** A request that is not answered within so many milliseconds is not answered. */
const UNANSWERED = 120_000;

/** Seconds: no machine is so busy three times in a row that it takes this long for what is bounded. */
export const HELD_UP = 0.25;

/** In which Linux counts the time of processors. */
const TICKS_PER_SECOND = 100;

/** The reply to a request. */
export interface ReceivedReply {
  readonly status: number;
  readonly text: string;
}

/** A server of which each request tells whether its reply is as specified, and whether others waited for it. */
export class WatchedServer {
  constructor(
    private readonly server: TestServer,
    private readonly client: ApiClient,
  ) {}

  /** The reply to a request. A node that lags refuses writes: it is asked again, as clients do. */
  async replyTo(request: HostileRequest): Promise<ReceivedReply> {
    const { url, init } = request.make();
    const submit = (): Promise<Response> => {
      const signal = AbortSignal.timeout(UNANSWERED);
      return this.client.submitRequest(url, { ...init, redirect: 'manual', signal });
    };
    const response = await eventually(submit, ({ status }) => status !== 503);
    return { status: response.status, text: await response.text() };
  }

  /** What is wrong with the reply to a request; null: nothing. */
  async faultOf(request: HostileRequest): Promise<string | null> {
    try {
      return replyFault(request, await this.replyTo(request));
    } catch (error) {
      return String(error);
    }
  }

  /** How often something has waited longer than {@link HELD_UP} for the thread that answers requests. */
  async delays(): Promise<number> {
    const bucket = (le: string): string =>
      `palimpsest_event_loop_delay_seconds_bucket{le="${le}",thread="request"}`;
    return (await this.metric(bucket('+Inf'))) - (await this.metric(bucket(String(HELD_UP))));
  }

  /** How many events the server has appended to the log. */
  async appendedEvents(): Promise<number> {
    const counts = (await this.metrics()).matchAll(/^palimpsest_appended_events_total\{.*\} (\d+)$/gm);
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  /**
   * For how many seconds a processor has worked for the thread that answers requests: unlike the time that goes by, that
   * does not depend on what else the machine does. Zero where the system does not tell.
   */
  requestThreadSeconds(): number {
    const { pid } = this.server;
    const file = `/proc/${pid}/task/${pid}/stat`;
    if (!existsSync(file)) return 0;
    const [, , user, system] = /\) (\S+ ){11}(\d+) (\d+) /.exec(readFileSync(file, 'utf8')) ?? [];
    return (Number(user) + Number(system)) / TICKS_PER_SECOND;
  }

  /** Whether a processor works for each of some requests in a row so long that others wait too long meanwhile. */
  async occupies(request: HostileRequest): Promise<boolean> {
    for (let turn = 0; turn < 3; turn += 1) {
      const before = this.requestThreadSeconds();
      await this.faultOf(request);
      if (this.requestThreadSeconds() - before < HELD_UP) return false;
    }
    return true;
  }

  /** Whether each of some requests in a row held up the others. */
  async holdsUp(request: HostileRequest): Promise<boolean> {
    for (let turn = 0; turn < 3; turn += 1) {
      const before = await this.delays();
      await this.faultOf(request);
      if ((await this.delays()) === before) return false;
    }
    return true;
  }

  private async metrics(): Promise<string> {
    return (await fetch(`${this.server.site}/metrics`)).text();
  }

  private async metric(name: string): Promise<number> {
    return Number((await this.metrics()).split(`${name} `)[1]?.split('\n')[0]);
  }
}

/** What is wrong with a reply; null: nothing. */
export function replyFault({ operation }: HostileRequest, { status, text }: ReceivedReply): string | null {
  if (status >= 500) return `${status} ${text}`;
  return operation.path.startsWith('/api/') ? envelopeFault(status, text) : null;
}

/** A reply says whether it is a success, what is wrong if it is none, and nothing but that. */
function envelopeFault(status: number, text: string): string | null {
  // An image or a file that is elsewhere.
  if (status === 302 && text === '') return null;
  const { result, msg, code = '' } = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const isTold = typeof msg === 'string' && typeof code === 'string' && (status === 200) === (msg === '');
  return isTold && result === (status === 200 ? 'success' : 'error')
    ? null
    : `${status} ${text.slice(0, 300)}`;
}
