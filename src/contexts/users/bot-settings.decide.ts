import { hasMetadataAccess } from '../../access/channel-permissions.js';
import type { Snapshot } from '../../access/snapshot.js';
import { botTypes } from '../../access/people-permissions.js';
import type { BotAccount, BotService, BotDefaults, User } from '../../access/records/user.js';
import type { UserEvent } from '../../events/users.js';
import { serviceInterfaces } from '../../events/bots.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';

/** Where a bot sends requests; null: no change. */
export interface BotServiceRequest {
  /** Empty: no requests are sent. */
  readonly baseUrl: string | null;
  /** The `interface_type` of the API. */
  readonly interface: number | null;
}

/** For bots that send no requests. */
export const noService: BotServiceRequest = { baseUrl: null, interface: null };

/**
 * Changes where an outgoing webhook bot sends requests; no events when nothing changes, and for other bots.
 *
 * @throws ApplicationError `invalidServiceUrl`, `invalidServiceInterface`
 */
export function decideBotService(
  { type, service }: Pick<BotAccount, 'type' | 'service'>,
  userId: number,
  request: BotServiceRequest,
): readonly UserEvent[] {
  if (type !== botTypes.outgoingWebhook) return [];
  const before: BotService = service ?? { baseUrl: '', interface: 1 };
  const chosen = serviceInterfaces.find((known) => known === (request.interface ?? before.interface));
  if (chosen === undefined) throw failure('invalidServiceInterface');
  const baseUrl = request.baseUrl === null ? before.baseUrl : serviceUrl(request.baseUrl);
  if (baseUrl === before.baseUrl && chosen === before.interface) return [];
  return [{ type: 'BotServiceChanged', data: { userId, baseUrl, interface: chosen } }];
}

function serviceUrl(sent: string): string {
  if (sent === '') return '';
  const url = sent.length <= budgets.serviceUrl.max && URL.canParse(sent) ? new URL(sent) : null;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '')
    throw failure('invalidServiceUrl');
  return url.href;
}

/** Defaults for what a bot's requests do not specify; null: no change. */
export interface BotDefaultsRequest {
  /** Name of a channel; empty: none. */
  readonly sendingChannel: string | null;
  readonly registeringChannel: string | null;
  readonly allPublicChannels: boolean | null;
}

interface Choice {
  readonly actor: User;
  readonly userId: number;
  /** The present defaults. */
  readonly before: BotDefaults;
  readonly request: BotDefaultsRequest;
}

/**
 * Changes a bot's defaults; no events when nothing changes.
 *
 * @throws ApplicationError `invalidChannelName`, the same for a channel that does not exist and one that the
 * actor may not know of
 */
export function decideBotDefaults(
  snapshot: Snapshot,
  { actor, userId, before, request }: Choice,
): readonly UserEvent[] {
  const { sendingChannel, registeringChannel, allPublicChannels } = request;
  const defaults: BotDefaults = {
    sendingChannelId:
      sendingChannel === null ? before.sendingChannelId : channelNamed(sendingChannel, snapshot, actor),
    registeringChannelId:
      registeringChannel === null
        ? before.registeringChannelId
        : channelNamed(registeringChannel, snapshot, actor),
    allPublicChannels: allPublicChannels ?? before.allPublicChannels,
  };
  return isSame(defaults, before) ? [] : [{ type: 'BotDefaultsChanged', data: { userId, ...defaults } }];
}

/** Null: none. */
function channelNamed(name: string, snapshot: Snapshot, actor: User): number | null {
  if (name === '') return null;
  const channel = snapshot.directory.channelByName(name);
  if (channel === null || !hasMetadataAccess(snapshot, actor, channel)) throw failure('invalidChannelName');
  return channel.id;
}

function isSame(wanted: BotDefaults, before: BotDefaults): boolean {
  return (
    wanted.sendingChannelId === before.sendingChannelId &&
    wanted.registeringChannelId === before.registeringChannelId &&
    wanted.allPublicChannels === before.allPublicChannels
  );
}
