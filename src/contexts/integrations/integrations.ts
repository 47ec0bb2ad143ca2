import type { Integration } from './integration.js';
import { alertmanager } from './kinds/alertmanager.js';
import { github } from './kinds/github.js';
import { gitlab } from './kinds/gitlab.js';
import { grafana } from './kinds/grafana.js';
import { json } from './kinds/json.js';
import { slackIncoming } from './kinds/slack-incoming.js';

/** Programs whose webhooks become messages, by the name at the end of their URL. */
export const integrations: Readonly<Record<string, Integration>> = {
  alertmanager,
  github,
  gitlab,
  grafana,
  json,
  slack_incoming: slackIncoming,
};

/** The integrations as clients get them when they register. */
export const integrationObjects = Object.entries(integrations).map(([name, { displayName, events }]) => ({
  name,
  display_name: displayName,
  all_event_types: events.length === 0 ? null : events,
  config_options: [],
  url_options: [],
}));

/** Whether an event is wanted: patterns may contain `*`, and exclusions override inclusions. */
export function isChosen(
  event: string | null,
  { only, except }: { readonly only: readonly string[] | null; readonly except: readonly string[] },
): boolean {
  if (event === null) return true;
  const fits = (pattern: string): boolean => matches(pattern, event);
  return (only === null || only.some(fits)) && !except.some(fits);
}

/** Matches each part at its first occurrence, so that no pattern takes long. */
function matches(pattern: string, event: string): boolean {
  const [first = '', ...others] = pattern.split('*');
  const last = others.pop();
  if (last === undefined) return pattern === event;
  if (!event.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = event.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return event.length - last.length >= at && event.endsWith(last);
}
