import { keyOfLists, type Handler, type Item } from './client-state.js';
import { replaced } from './organization-events.js';

/** Events about what only one person has. */
export const personalEvents: Readonly<Record<string, Handler>> = {
  alert_words: replaced('alert_words'),
  muted_users: replaced('muted_users'),
  drafts: items('drafts', 'draft', 'drafts'),
  reminders: items('reminders', 'reminder', 'reminders'),
  scheduled_messages: items('scheduled_messages', 'scheduled_message', 'scheduled_messages'),
  saved_snippets: items('saved_snippets', 'saved_snippet', null),
  onboarding_steps: ({ lists }, event) => {
    lists.onboarding_steps.clear();
    for (const step of event['onboarding_steps'] as Item[])
      lists.onboarding_steps.set(step['name'] as string, step);
  },
  navigation_view: ({ lists: { navigation_views: views } }, event) => {
    const fragment = (event['fragment'] ?? event['navigation_view']?.fragment) as string;
    if (event['op'] === 'remove') views.delete(fragment);
    else if (event['op'] === 'add') views.set(fragment, event['navigation_view'] as Item);
    else views.set(fragment, { ...views.get(fragment), ...event['data'] });
  },
  user_settings: ({ settings }, { property, value }) => {
    if (!((property as string) in settings)) throw new Error(`Nobody has the setting ${String(property)}`);
    settings[property as string] = value;
  },
};

/** The handler of a list whose items come, change and go, one at a time or several. */
function items(list: keyof typeof keyOfLists, one: string, several: string | null): Handler {
  const key = keyOfLists[list];
  return ({ lists }, event) => {
    if (event['op'] === 'remove') {
      lists[list].delete(event[`${one}_id`] as number);
      return;
    }
    const changed = (several === null ? undefined : event[several]) as readonly Item[] | undefined;
    for (const item of changed ?? [event[one] as Item]) lists[list].set(item[key] as number, item);
  };
}
