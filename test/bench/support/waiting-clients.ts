import { Agent, get } from 'node:http';
import type { ApiClient } from '../../support/api-client.js';
import { authorizationOf } from './server-process.js';

/** A long poll, and the time of its reply in milliseconds of the monotonic clock. */
export interface HeldPoll {
  readonly answered: Promise<number>;
}

/** Clients that registered and wait for events, each over a separate connection. */
export class WaitingClients {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  private readonly lastEventIds: number[];

  private constructor(
    private readonly client: ApiClient,
    private readonly queueIds: readonly string[],
  ) {
    this.lastEventIds = queueIds.map(() => -1);
  }

  static async register(client: ApiClient, count: number): Promise<WaitingClients> {
    const queueIds: string[] = [];
    for (let number = 0; number < count; number += 1) {
      const asked = { event_types: ['message'], fetch_event_types: [] };
      const { queue_id } = await client.must('post', 'register', asked);
      queueIds.push(queue_id as string);
    }
    return new WaitingClients(client, queueIds);
  }

  /** Sends a long poll for every client. */
  poll(): readonly HeldPoll[] {
    return this.queueIds.map((_queueId, index) => ({ answered: this.ask(index) }));
  }

  /** Deletes the queues, which ends the polls. */
  async end(): Promise<void> {
    for (const queue_id of this.queueIds) await this.client.must('delete', 'events', { queue_id });
    this.agent.destroy();
  }

  private ask(index: number): Promise<number> {
    const query = `queue_id=${this.queueIds[index]}&last_event_id=${this.lastEventIds[index]}`;
    const options = { agent: this.agent, headers: { authorization: authorizationOf(this.client) } };
    return new Promise((resolve, reject) => {
      const request = get(`${this.client.site}/api/v1/events?${query}`, options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answered = performance.now();
          const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { events?: { id: number }[] };
          this.lastEventIds[index] = body.events?.at(-1)?.id ?? this.lastEventIds[index]!;
          resolve(answered);
        });
      });
      request.on('error', reject);
    });
  }
}
