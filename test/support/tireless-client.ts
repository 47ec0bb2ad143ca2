import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Reply } from './api-client.js';
import type { ReceivedEvent } from './listener.js';

/** Delay before the retry of a request that was not answered, in milliseconds. */
const PAUSE = 50;

/** A client like zulip-js: it registers once, polls forever, acknowledges events, and repeats polls that fail or are refused. */
export class TirelessClient {
  readonly events: ReceivedEvent[] = [];
  /** Codes of the refusals that it received. */
  readonly refusals: string[] = [];
  private isDone = false;
  private polling: Promise<void> = Promise.resolve();

  private constructor(
    private readonly state: Reply,
    /** The present client; tests change it to poll another server. */
    public client: ApiClient,
  ) {}

  static async register(
    client: ApiClient,
    parameters: Readonly<Record<string, unknown>>,
  ): Promise<TirelessClient> {
    return new TirelessClient(await client.must('post', 'register', parameters), client);
  }

  get queueId(): string {
    return this.state['queue_id'] as string;
  }

  /** Starts to poll. */
  start(): void {
    this.polling = this.poll();
  }

  /** Stops to poll, after the last reply. */
  async stop(): Promise<void> {
    this.isDone = true;
    await this.polling;
  }

  /** Polls once without waiting for events. */
  async ask(parameters: Readonly<Record<string, unknown>> = { dont_block: true }): Promise<void> {
    const last_event_id = this.events.at(-1)?.id ?? -1;
    const asked = { queue_id: this.queueId, last_event_id, ...parameters };
    const { status, body } = await this.client.get('events', asked);
    if (status === 200) this.events.push(...(body['events'] as ReceivedEvent[]));
    else this.refusals.push(body.code ?? String(status));
  }

  private async poll(): Promise<void> {
    while (!this.isDone) {
      const refusals = this.refusals.length;
      const isAnswered = await this.ask({}).then(
        () => this.refusals.length === refusals,
        () => false,
      );
      if (!isAnswered) await delay(PAUSE);
    }
  }
}
