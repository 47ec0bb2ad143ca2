import { z } from 'zod';

/** The capabilities that a client declares when it registers; those that it omits are false. */
export interface ClientCapabilities {
  readonly notification_settings_null: boolean;
  readonly bulk_message_deletion: boolean;
  readonly user_avatar_url_field_optional: boolean;
  readonly stream_typing_notifications: boolean;
  readonly linkifier_url_template: boolean;
  readonly user_list_incomplete: boolean;
  readonly include_deactivated_groups: boolean;
  readonly archived_channels: boolean;
  readonly empty_topic_name: boolean;
  readonly simplified_presence_events: boolean;
  readonly individual_emoji_changes: boolean;
  readonly user_settings_object: boolean;
}

/** Unknown names are accepted: clients may be newer than the server. */
export const clientCapabilitiesSchema = z.looseObject({
  notification_settings_null: z.boolean().optional(),
  bulk_message_deletion: z.boolean().optional(),
  user_avatar_url_field_optional: z.boolean().optional(),
  stream_typing_notifications: z.boolean().optional(),
  linkifier_url_template: z.boolean().optional(),
  user_list_incomplete: z.boolean().optional(),
  include_deactivated_groups: z.boolean().optional(),
  archived_channels: z.boolean().optional(),
  empty_topic_name: z.boolean().optional(),
  simplified_presence_events: z.boolean().optional(),
  individual_emoji_changes: z.boolean().optional(),
  user_settings_object: z.boolean().optional(),
});

const none: ClientCapabilities = {
  notification_settings_null: false,
  bulk_message_deletion: false,
  user_avatar_url_field_optional: false,
  stream_typing_notifications: false,
  linkifier_url_template: false,
  user_list_incomplete: false,
  include_deactivated_groups: false,
  archived_channels: false,
  empty_topic_name: false,
  simplified_presence_events: false,
  individual_emoji_changes: false,
  user_settings_object: false,
};

/** Capabilities that the client did not declare are false. */
export function capabilitiesOf(sent: z.infer<typeof clientCapabilitiesSchema> = {}): ClientCapabilities {
  const known = Object.keys(none) as (keyof ClientCapabilities)[];
  const said = known.flatMap((name) => (sent[name] === undefined ? [] : [[name, sent[name]] as const]));
  return { ...none, ...Object.fromEntries(said) };
}

/**
 * Whether a client declared no capability: then it is older than all of them, and gets the events of that
 * time.
 */
export function saysNothing(capabilities: ClientCapabilities): boolean {
  return Object.values(capabilities).every((understands: boolean) => !understands);
}
