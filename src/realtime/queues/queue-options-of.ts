import type { Directory } from '../../access/directory.js';
import { isExistingClient } from '../../http/older-names.js';
import { isGuest } from '../../access/records/roles.js';
import { defaultsOf, type User } from '../../access/records/user.js';
import type { RegisterParameters } from '../realtime.parameters.js';
import { capabilitiesOf } from './client-capabilities.js';
import { everyMessage, narrowFilter, type NarrowFilter } from './narrow-filter.js';
import type { QueueOptions, RequestedPresence } from './queue-options.js';

/** How long queues live without being polled, in seconds. */
const queueLifetimes = { shortest: 60, usual: 600, longest: 7 * 86_400 } as const;

/** Memory of an empty queue with default options, in bytes. */
const QUEUE_BYTES = 2_000;

/** The options that a client requests. Null: the account's default applies. */
export type RequestedOptions = Omit<QueueOptions, 'allPublicChannels' | 'narrow'> & {
  readonly allPublicChannels: boolean | null;
  readonly narrow: NarrowFilter | null;
};

/**
 * Fills in defaults of the account: bots have stored ones, and guests get no events of channels that they are
 * not subscribed to.
 */
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
 * The options that a client requests when it registers, with the general defaults for those that it omits.
 *
 * @param userAgent the client's User-Agent
 * @throws ApplicationError `queueOperatorNotSupported` for a narrow that queues do not support
 */
export function requestedOptionsOf(
  parameters: RegisterParameters,
  userAgent: string | undefined,
): RequestedOptions {
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
    usesOlderNames: isExistingClient(userAgent),
    idleSeconds: idleSecondsOf(parameters),
    bytes: QUEUE_BYTES + Buffer.byteLength(JSON.stringify([parameters.event_types, narrow])),
  };
}

function initialPresence(parameters: RegisterParameters): RequestedPresence {
  return {
    isSlim:
      parameters.slim_presence === true ||
      parameters.client_capabilities?.simplified_presence_events === true,
    afterUpdateId: parameters.presence_last_update_id ?? null,
    days: parameters.presence_history_limit_days ?? null,
  };
}

function idleSecondsOf({
  idle_queue_timeout: timeout,
  queue_lifespan_secs: older,
}: RegisterParameters): number {
  const { shortest, usual, longest } = queueLifetimes;
  if (timeout === 'mobile') return longest;
  // Clients send 0, the default of the older parameter, for no choice.
  const asked = timeout ?? (older === 0 ? usual : older) ?? usual;
  return Math.min(Math.max(asked, shortest), longest);
}
