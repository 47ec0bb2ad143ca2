import type { ApiClient, Reply } from './api-client.js';

/** A client event. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into events of every shape
export type ReceivedEvent = { readonly id: number; readonly type: string; readonly [member: string]: any };

/** The capabilities that present clients declare. */
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

/** All capabilities. */
export const everyCapability = {
  ...usualCapabilities,
  simplified_presence_events: true,
  individual_emoji_changes: true,
} as const;

/** A registered client that polls for events. */
export class Listener {
  private lastEventId: number;

  private constructor(
    private readonly client: ApiClient,
    /** The reply to its registration. */
    readonly state: Reply,
  ) {
    this.lastEventId = state['last_event_id'] as number;
  }

  /** @param parameters those of POST /register; absent: all capabilities and no initial state */
  static async register(
    client: ApiClient,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Listener> {
    const usual = { fetch_event_types: [], client_capabilities: everyCapability };
    return new Listener(client, await client.must('post', 'register', { ...usual, ...parameters }));
  }

  /** A listener for a client that is already registered. */
  static registered(client: ApiClient, state: Reply): Listener {
    return new Listener(client, state);
  }

  get queueId(): string {
    return this.state['queue_id'] as string;
  }

  /** The events since the last poll; does not wait. */
  async news(): Promise<readonly ReceivedEvent[]> {
    return this.ask({ dont_block: true });
  }

  /** Like {@link news}, without the older forms of the same events. */
  async newsOf(...types: readonly string[]): Promise<readonly ReceivedEvent[]> {
    return (await this.news()).filter(({ type }) => types.includes(type));
  }

  /** Waits for the next events. */
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
