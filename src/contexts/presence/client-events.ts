import { apiEmail } from '../../access/email-visibility.js';
import type { Snapshot } from '../../access/snapshot.js';
import type { ClientEvent } from '../../realtime/client-event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { AddressedEvent } from '../../realtime/mapper.js';
import type { Presence } from './presence.js';
import { GetPresences } from './queries/presence.js';
import { legacyPresence, presenceRequestOf, serverTimestamp, slimPresence } from './visible-presence.js';

/** The source of client events about presence. */
export interface PresenceModels {
  /** The person's presence, whether or not others may see it; null when they were not here lately. */
  presence(userId: number): Presence | null;
}

/** Who is present. */
export const presenceState: InitialState = {
  presence: async ({ queries, options: { presence } }) => ({
    ...(await queries.execute(new GetPresences(presenceRequestOf(presence)))),
  }),
};

/** Client events about a person's presence, for everyone, in the form that each client supports. */
export function presenceEvents(presence: Presence, { directory, now }: Snapshot): readonly AddressedEvent[] {
  const user = directory.user(presence.userId);
  if (user === null) return [];
  const common = { type: 'presence', server_timestamp: serverTimestamp(now) };
  const { website } = legacyPresence(presence);
  const simplified: ClientEvent = { ...common, presences: { [user.id]: slimPresence(presence, user) } };
  const slim: ClientEvent = { ...common, user_id: user.id, presence: { website } };
  const full: ClientEvent = { ...slim, email: apiEmail(directory, user) };
  return [
    {
      to: 'everyone',
      event: ({ options }) => {
        if (options.capabilities.simplified_presence_events) return simplified;
        return options.slimPresence ? slim : full;
      },
    },
  ];
}
