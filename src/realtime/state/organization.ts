import { customEmojiObjects } from '../../emoji/custom-emoji-object.js';
import { linkifierObject } from '../../linkifiers/linkifier-object.js';
import { stopWords } from '../../messages/text-search/stop-words.js';
import { GetServerSettings } from '../../organization/queries/get-server-settings.js';
import { codePlaygroundObject } from '../../organization/views/code-playground-object.js';
import { domainObject } from '../../organization/views/domain-object.js';
import { organizationState } from '../../organization/views/organization-state.js';
import type { InitialState } from './initial-state.js';
import { serverConstants } from './server-constants.js';

/** The organization, its settings, and what this server can do. */
export const realmState: InitialState = {
  realm: async (request) => ({
    ...(request.moment.directory.organization !== null &&
      organizationState(request.moment.directory.organization, request.moment.directory)),
    ...serverConstants,
    realm_push_notifications_enabled: (await request.queries.execute(new GetServerSettings()))[
      'push_notifications_enabled'
    ],
    realm_url: request.site,
    realm_uri: request.site,
    realm_bot_domain: request.botDomain,
    server_emoji_data_url: `${request.site}/static/emoji.json`,
  }),
  realm_domains: ({ moment: { directory } }) => ({
    realm_domains: (directory.organization?.domains ?? []).map(domainObject),
  }),
  // Older clients expect the list, and know nothing of what could stand in it.
  realm_filters: () => ({ realm_filters: [] }),
  realm_linkifiers: ({ moment: { directory }, options }) => ({
    realm_linkifiers: options.capabilities.linkifier_url_template
      ? directory.linkifiers.linkifiers.map(linkifierObject)
      : [],
  }),
  realm_playgrounds: ({ moment: { directory } }) => ({
    realm_playgrounds: (directory.organization?.codePlaygrounds ?? []).map(codePlaygroundObject),
  }),
  // Clients say that these are not searched for.
  stop_words: () => ({ stop_words: [...stopWords] }),
  realm_emoji: ({ moment: { directory } }) => ({ realm_emoji: customEmojiObjects(directory.customEmoji) }),
};
