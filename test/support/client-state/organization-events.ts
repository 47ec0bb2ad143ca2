import type { Handler, Item } from './client-state.js';

/** Events about the organization and what belongs to it. */
export const organizationEvents: Readonly<Record<string, Handler>> = {
  realm: ({ organization }, event) => {
    const { property, value } = event;
    const data =
      event['op'] === 'update' ? { [property as string]: value as unknown } : (event['data'] as Item);
    for (const [name, changed] of Object.entries(data)) {
      if (!(`realm_${name}` in organization)) throw new Error(`No setting of the organization is ${name}`);
      organization[`realm_${name}`] = changed;
    }
  },
  realm_emoji: (state, event) => {
    if (event['op'] === 'update') state.emoji = event['realm_emoji'] as Item;
    else if (event['op'] === 'add') state.emoji[event['emoji'].id as string] = event['emoji'];
    else Object.assign(state.emoji[event['emoji_id'] as string] as Item, event['data']);
  },
  realm_domains: ({ lists }, event) => {
    if (event['op'] === 'remove') lists.realm_domains.delete(event['domain'] as string);
    else lists.realm_domains.set(event['realm_domain'].domain as string, event['realm_domain'] as Item);
  },
  custom_profile_fields: (state, { fields }) => {
    state.replaced['custom_profile_fields'] = fields;
    const ids = new Set((fields as Item[]).map(({ id }) => String(id)));
    for (const user of state.users.values()) {
      const data = Object.entries((user['profile_data'] ?? {}) as Item).filter(([id]) => ids.has(id));
      if (user['profile_data'] !== undefined) user['profile_data'] = Object.fromEntries(data);
    }
  },
  realm_linkifiers: replaced('realm_linkifiers'),
  realm_playgrounds: replaced('realm_playgrounds'),
  default_streams: replaced('default_streams', 'realm_default_streams'),
  default_stream_groups: replaced('default_stream_groups', 'realm_default_stream_groups'),
  realm_user_settings_defaults: ({ settingsDefaults }, { property, value }) => {
    settingsDefaults[property as string] = value;
  },
};

/** The handler of an event that has the whole list. */
export function replaced(member: string, name = member): Handler {
  return (state, event) => {
    state.replaced[name] = event[member];
  };
}
