import { BooleanParameter } from '../../../http/parameters/parameter-decorators.js';
import type { ChannelSelection } from '../queries/channels.js';

/** Parameters of GET /streams (facts, section 5). */
export class GetChannelsParameters {
  @BooleanParameter({ description: 'All public channels. Default true.' })
  include_public?: boolean;

  @BooleanParameter({ description: 'All web-public channels. Default false.' })
  include_web_public?: boolean;

  @BooleanParameter({ description: 'The channels that the caller is subscribed to. Default true.' })
  include_subscribed?: boolean;

  @BooleanParameter({ description: 'Whether archived channels are left out. Default true.' })
  exclude_archived?: boolean;

  @BooleanParameter({ description: 'All channels that the caller may know of. Default false.' })
  include_all?: boolean;

  @BooleanParameter({ description: 'Deprecated: `include_all`.' })
  include_all_active?: boolean;

  @BooleanParameter({ description: 'The default channels, each then with `is_default`. Default false.' })
  include_default?: boolean;

  @BooleanParameter({ description: 'For a bot: the channels of its owner. Default false.' })
  include_owner_subscribed?: boolean;

  @BooleanParameter({ description: 'All channels that the caller may read. Default false.' })
  include_can_access_content?: boolean;
}

/** The selection as the query knows it. */
export function channelSelection(parameters: GetChannelsParameters): ChannelSelection {
  return {
    public: parameters.include_public ?? true,
    webPublic: parameters.include_web_public ?? false,
    subscribed: parameters.include_subscribed ?? true,
    all: parameters.include_all ?? parameters.include_all_active ?? false,
    readable: parameters.include_can_access_content ?? false,
    default: parameters.include_default ?? false,
    ownerSubscribed: parameters.include_owner_subscribed ?? false,
    archived: !(parameters.exclude_archived ?? true),
  };
}
