import type { ApiClient } from '../api-client.js';
import { Listener, type ReceivedEvent } from '../listener.js';
import { applyEvent } from './apply-event.js';
import { ClientState, type Item } from './client-state.js';

/**
 * Lists of channels that change what else the person knows of in ways that no event says, and the person's own
 * subscriptions: administrators who leave a private channel still know of it, but may not read its messages.
 */
const hidesMore = ({ type, ...event }: ReceivedEvent): boolean =>
  (type === 'stream' && event['op'] !== 'update') ||
  (type === 'subscription' && (event['op'] === 'add' || event['op'] === 'remove'));

/** A client that keeps its state by events, and can be compared with one that registers anew. */
export class Observer {
  private constructor(
    private readonly client: ApiClient,
    private readonly parameters: Item,
    private readonly listener: Listener,
    readonly state: ClientState,
  ) {}

  /** @param capabilities those that the client declares */
  static async register(client: ApiClient, capabilities: object): Promise<Observer> {
    const parameters = {
      client_capabilities: capabilities,
      event_types: null,
      fetch_event_types: null,
      include_subscribers: true,
      slim_presence: true,
      client_gravatar: false,
    };
    const listener = await Listener.register(client, parameters);
    return new Observer(client, parameters, listener, new ClientState(listener.state));
  }

  /** Applies events until one of them passes the test. */
  async follow(isLast: (event: ReceivedEvent) => boolean): Promise<void> {
    for (;;) {
      const events = await this.listener.wait();
      for (const event of events) applyEvent(this.state, event);
      if (events.some(hidesMore)) await this.readStarred();
      if (events.some(isLast)) return;
    }
  }

  /** What differs from the state that the server answers now: the path of each value, with both values. */
  async differences(): Promise<readonly string[]> {
    return differencesOf(this.state.plain(), (await this.registerAnew()).plain(), '');
  }

  /** Starred messages are not listed while the person may not read them; clients keep them. */
  private async readStarred(): Promise<void> {
    this.state.starred = (await this.registerAnew()).starred;
  }

  private async registerAnew(): Promise<ClientState> {
    const { state, queueId } = await Listener.register(this.client, this.parameters);
    await this.client.must('delete', 'events', { queue_id: queueId });
    return new ClientState(state);
  }
}

function differencesOf(known: unknown, answered: unknown, path: string): readonly string[] {
  if (JSON.stringify(known) === JSON.stringify(answered)) return [];
  if (!isObject(known) || !isObject(answered)) {
    // The first message of a channel becomes known with its event, which only subscribers get.
    if (path.endsWith('/first_message_id') && known === null) return [];
    return [`${path}: known ${JSON.stringify(known)}, answered ${JSON.stringify(answered)}`];
  }
  const names = new Set([...Object.keys(known), ...Object.keys(answered)]);
  return [...names].flatMap((name) => differencesOf(known[name], answered[name], `${path}/${name}`));
}

function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
