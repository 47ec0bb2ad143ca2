import { mayKnow } from '../../access/acquaintances.js';
import { DirectConversations } from '../../access/direct-conversations.js';
import { apiEmail, hiddenEmail } from '../../access/email-visibility.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { ClientEvent } from '../../realtime/client-event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { AddressedEvent } from '../../realtime/mapper.js';
import type { Presence } from './presence.js';
import { GetPresences } from './queries/presence.js';
import { legacyPresence, presenceRequestOf, serverTimestamp, slimPresence } from './presence.view.js';

/** The source of client events about presence. */
export interface PresenceModels {
  /** The person's presence, whether or not others may see it; null when they were not here lately. */
  presence(userId: number): Presence | null;
}

/** Who is present. */
export const presenceState: InitialState = {
  presence: async ({ user, queries, options: { presence } }) => ({
    ...(await queries.execute(new GetPresences({ userId: user.id }, presenceRequestOf(presence)))),
  }),
};

/**
 * Client events about a person's presence, for everyone, in the form that each client supports. Viewers who may
 * not know the person get a made-up address; so do those who know them from direct conversations alone, which
 * are not looked up for events as frequent as these.
 */
export function presenceEvents(presence: Presence, snapshot: Snapshot): readonly AddressedEvent[] {
  const { directory, now } = snapshot;
  const user = directory.user(presence.userId);
  if (user === null) return [];
  const common = { type: 'presence', server_timestamp: serverTimestamp(now) };
  const { website } = legacyPresence(presence);
  const simplified: ClientEvent = { ...common, presences: { [user.id]: slimPresence(presence, user) } };
  const slim: ClientEvent = { ...common, user_id: user.id, presence: { website } };
  const full: ClientEvent = { ...slim, email: apiEmail(directory, user) };
  const fullToStrangers: ClientEvent = { ...slim, email: hiddenEmail(user.id) };
  const conversations = DirectConversations.none;
  return [
    {
      to: 'everyone',
      event: ({ user: viewer, options }) => {
        if (options.capabilities.simplified_presence_events) return simplified;
        if (options.slimPresence) return slim;
        return mayKnow(snapshot, { viewer, conversations }, user) ? full : fullToStrangers;
      },
    },
  ];
}
