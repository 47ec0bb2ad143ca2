import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, Reply } from './api-client.js';
import type { ReceivedEvent } from './listener.js';

/** How long it waits before it asks again after it was not answered, in milliseconds. */
const PAUSE = 50;

/**
 * A client as zulip-js is one: it registers once, polls for ever, acknowledges what it has, and asks the same again when it is not
 * answered, or refused.
 */
export class TirelessClient {
  readonly events: ReceivedEvent[] = [];
  /** Codes of the refusals that it got. */
  readonly refusals: string[] = [];
  private isDone = false;
  private polling: Promise<void> = Promise.resolve();

  private constructor(
    private readonly state: Reply,
    /** As of now: where it asks may change. */
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

  /** Polls from now on. */
  start(): void {
    this.polling = this.poll();
  }

  /** Polls no more, once it was answered the last time. */
  async stop(): Promise<void> {
    this.isDone = true;
    await this.polling;
  }

  /** Asks once, without waiting for anything to happen. */
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
