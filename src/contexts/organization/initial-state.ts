import { pictureKinds } from '../../events/organization.js';
import type { PublicAddress } from '../../http/public-address.js';
import type { InitialState, StateRequest } from '../../realtime/initial-state.js';
import { GetUploadQuota } from '../uploads/queries/uploads.js';
import { pictureOf } from './pictures.js';
import { GetServerSettings } from './queries/organization.js';
import { codePlaygroundObject, domainObject } from './organization.replies.js';
import { serverConstants } from './server-constants.js';
import { organizationState } from './organization-members.js';

/** The read models behind the initial state of the organization. */
export interface OrganizationModels {
  /** The address of the server. */
  readonly address: PublicAddress;
}

/** URLs of the organization's pictures; the icon's is absolute, because clients do not complete it. */
function picturesOf({
  snapshot: { directory },
  models,
}: StateRequest<OrganizationModels>): Record<string, unknown> {
  const [icon, logo, night] = pictureKinds.map((kind) => pictureOf(directory.organization ?? {}, kind));
  return {
    realm_icon_url: `${models.address.url}${icon?.url ?? ''}`,
    realm_icon_source: icon?.source,
    realm_logo_url: logo?.url,
    realm_logo_source: logo?.source,
    realm_night_logo_url: night?.url,
    realm_night_logo_source: night?.source,
  };
}

/** The organization, its settings, and the server's features. */
export const realmState: InitialState<OrganizationModels> = {
  realm: async (request) => ({
    ...(request.snapshot.directory.organization !== null &&
      organizationState(request.snapshot.directory.organization, request.snapshot.directory)),
    ...serverConstants,
    ...picturesOf(request),
    realm_push_notifications_enabled: (await request.queries.execute(new GetServerSettings()))[
      'push_notifications_enabled'
    ],
    realm_upload_quota_mib: await request.queries.execute(new GetUploadQuota()),
    realm_url: request.models.address.url,
    realm_uri: request.models.address.url,
    realm_bot_domain: request.models.address.domain,
    server_emoji_data_url: `${request.models.address.url}/static/emoji.json`,
  }),
  realm_domains: ({ snapshot: { directory } }) => ({
    realm_domains: (directory.organization?.domains ?? []).map(domainObject),
  }),
  realm_playgrounds: ({ snapshot: { directory } }) => ({
    realm_playgrounds: (directory.organization?.codePlaygrounds ?? []).map(codePlaygroundObject),
  }),
  // This server has no such features, but clients request these lists and fail without them.
  realm_embedded_bots: () => ({ realm_embedded_bots: [] }),
  giphy: () => ({ giphy_api_key: '' }),
  tenor: () => ({ tenor_api_key: '' }),
  klipy: () => ({ klipy_api_key: '' }),
  realm_billing: () => ({ realm_billing: { has_pending_sponsorship_request: false } }),
  video_calls: () => ({ has_zoom_token: false, has_webex_token: false }),
};
