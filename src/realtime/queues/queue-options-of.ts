import type { Directory } from '../../directory/directory.js';
import { presenceRequest } from '../../presence/dto/presence.parameters.js';
import type { PresenceRequest } from '../../presence/visible-presence.js';
import { defaultsOf } from '../../users/bot-defaults.js';
import { isGuest } from '../../users/roles.js';
import type { User } from '../../users/user.js';
import type { RegisterParameters } from '../dto/register.parameters.js';
import { capabilitiesOf } from './client-capabilities.js';
import { everyMessage, type NarrowFilter, narrowFilter } from './narrow-filter.js';
import type { QueueOptions } from './queue-options.js';

/** How long queues live that nobody asks for, in seconds. */
const queueLifetimes = { shortest: 60, usual: 600, longest: 7 * 86_400 } as const;

/** What a client asks for. Null: it leaves that to what was chosen for its account. */
export type RequestedOptions = Omit<QueueOptions, 'allPublicChannels' | 'narrow'> & {
  readonly allPublicChannels: boolean | null;
  readonly narrow: NarrowFilter | null;
};

/** Where a client leaves it open, a bot gets what was chosen for it; guests are told of no channels but their own. */
export function queueOptionsFor(user: User, requested: RequestedOptions, directory: Directory): QueueOptions {
  const { registeringChannelId, allPublicChannels } = defaultsOf(user);
  const channel = registeringChannelId === null ? null : directory.channel(registeringChannelId);
  return {
    ...requested,
    allPublicChannels: requested.allPublicChannels ?? (allPublicChannels && !isGuest(user)),
    narrow: requested.narrow ?? (channel === null ? everyMessage : narrowFilter([['channel', channel.name]])),
  };
}

/**
 * What a client asks for when it registers, with what every client that leaves it out gets.
 *
 * @throws ApplicationError `badRequest` for a narrow that queues do not support
 */
export function requestedOptionsOf(parameters: RegisterParameters): RequestedOptions {
  const { narrow = [] } = parameters;
  return {
    applyMarkdown: parameters.apply_markdown ?? false,
    clientGravatar: parameters.client_gravatar ?? true,
    slimPresence: parameters.slim_presence ?? false,
    presence: initialPresence(parameters),
    includeSubscribers: parameters.include_subscribers ?? 'false',
    allPublicChannels: parameters.all_public_streams ?? null,
    eventTypes: parameters.event_types === undefined ? null : new Set(parameters.event_types),
    narrow: narrow.length === 0 ? null : narrowFilter(narrow),
    capabilities: capabilitiesOf(parameters.client_capabilities),
    idleSeconds: idleSecondsOf(parameters),
  };
}

function initialPresence(parameters: RegisterParameters): PresenceRequest {
  const { presence_last_update_id, presence_history_limit_days } = parameters;
  return presenceRequest({
    slim_presence:
      parameters.slim_presence === true ||
      parameters.client_capabilities?.simplified_presence_events === true,
    ...(presence_last_update_id !== undefined && { last_update_id: presence_last_update_id }),
    ...(presence_history_limit_days !== undefined && { history_limit_days: presence_history_limit_days }),
  });
}

function idleSecondsOf({
  idle_queue_timeout: timeout,
  queue_lifespan_secs: older,
}: RegisterParameters): number {
  const { shortest, usual, longest } = queueLifetimes;
  if (timeout === 'mobile') return longest;
  return Math.min(Math.max(timeout ?? older ?? usual, shortest), longest);
}
