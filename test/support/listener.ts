import type { ApiClient, Reply } from './api-client.js';

/** An event as a client gets it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into events of every shape
export type ReceivedEvent = { readonly id: number; readonly type: string; readonly [member: string]: any };

/** What clients of today say that they understand. */
export const usualCapabilities = {
  notification_settings_null: true,
  bulk_message_deletion: true,
  user_avatar_url_field_optional: true,
  stream_typing_notifications: true,
  user_settings_object: true,
  linkifier_url_template: true,
  user_list_incomplete: true,
  include_deactivated_groups: true,
  archived_channels: true,
  empty_topic_name: true,
} as const;

/** What a client that understands everything says of itself. */
export const everyCapability = {
  ...usualCapabilities,
  simplified_presence_events: true,
  individual_emoji_changes: true,
} as const;

/** A client that registered, and asks for what happens. */
export class Listener {
  private lastEventId: number;

  private constructor(
    private readonly client: ApiClient,
    /** What it was told when it registered. */
    readonly state: Reply,
  ) {
    this.lastEventId = state['last_event_id'] as number;
  }

  /** @param parameters those of POST /register; without them, of a client that understands everything and fetches nothing */
  static async register(
    client: ApiClient,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Listener> {
    const usual = { fetch_event_types: [], client_capabilities: everyCapability };
    return new Listener(client, await client.must('post', 'register', { ...usual, ...parameters }));
  }

  /** One that has registered by itself. */
  static registered(client: ApiClient, state: Reply): Listener {
    return new Listener(client, state);
  }

  get queueId(): string {
    return this.state['queue_id'] as string;
  }

  /** What happened since it last asked; it does not wait. */
  async news(): Promise<readonly ReceivedEvent[]> {
    return this.ask({ dont_block: true });
  }

  /** Like {@link news}, without what tells of the same in older words. */
  async newsOf(...types: readonly string[]): Promise<readonly ReceivedEvent[]> {
    return (await this.news()).filter(({ type }) => types.includes(type));
  }

  /** Waits for what happens next. */
  async wait(): Promise<readonly ReceivedEvent[]> {
    return this.ask({});
  }

  private async ask(parameters: Readonly<Record<string, unknown>>): Promise<readonly ReceivedEvent[]> {
    const asked = { queue_id: this.queueId, last_event_id: this.lastEventId, ...parameters };
    const { events } = (await this.client.must('get', 'events', asked)) as Reply & {
      events: ReceivedEvent[];
    };
    this.lastEventId = events.at(-1)?.id ?? this.lastEventId;
    return events;
  }
}
