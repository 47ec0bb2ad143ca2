import type { ReceivedEvent } from '../listener.js';
import { channelEvents } from './channel-events.js';
import type { ClientState, Handler } from './client-state.js';
import { messageEvents } from './message-events.js';
import { organizationEvents } from './organization-events.js';
import { peopleEvents } from './people-events.js';
import { personalEvents } from './personal-events.js';

/** Events that change nothing of what is compared, among them the older forms of others. */
const ignored: ReadonlySet<string> = new Set([
  'heartbeat',
  'invites_changed',
  'muted_topics',
  'presence',
  'reaction',
  'realm_export_consent',
  'update_display_settings',
  'update_global_notifications',
]);

const handlers: Readonly<Record<string, Handler>> = {
  ...peopleEvents,
  ...channelEvents,
  ...messageEvents,
  ...organizationEvents,
  ...personalEvents,
};

/** @throws Error for an event that no client knows */
export function applyEvent(state: ClientState, event: ReceivedEvent): void {
  const handle = handlers[event.type];
  if (handle !== undefined) handle(state, event);
  else if (!ignored.has(event.type)) throw new Error(`No client knows the event ${event.type}`);
}
