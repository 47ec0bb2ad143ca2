import type { ApiClient, Reply } from './api-client.js';

/** An event queue, polled like a client program does. */
export class ClientQueue {
  private constructor(
    private readonly client: ApiClient,
    /** The reply to the registration. */
    readonly state: Reply,
    private lastEventId: number,
  ) {}

  /** Registers for some types of events, with their initial state. */
  static async register(
    client: ApiClient,
    types: readonly string[],
    capabilities: Readonly<Record<string, boolean>> = {},
  ): Promise<ClientQueue> {
    const state = await client.must('post', 'register', {
      event_types: types,
      client_capabilities: { notification_settings_null: true, ...capabilities },
    });
    return new ClientQueue(client, state, state['last_event_id'] as number);
  }

  /** Waits for the next events, and returns them without their ids. */
  async next(): Promise<readonly Reply[]> {
    const { events } = await this.client.must('get', 'events', {
      queue_id: this.state['queue_id'] as string,
      last_event_id: this.lastEventId,
    });
    const found = events as Reply[];
    this.lastEventId = found.at(-1)?.['id'] as number;
    return found.map(({ id: _id, ...event }) => event);
  }
}
