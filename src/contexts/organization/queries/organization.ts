import { authenticationMethods, type DomainObject, domainObject } from '../organization.replies.js';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { apiVersion } from '../../../kernel/api-constants.js';
import { ExternalMethods } from '../../../http/authentication/external-methods.js';
import { PublicAddress } from '../../../http/public-address.js';
import { Descriptions } from '../../channels/channel-listing.js';
import { ConfiguredRelay } from '../../push/push-relay.js';
import { pictureOf } from '../pictures.js';

/** Lists the domains that the organization may be restricted to. */
export class GetDomains extends Query<readonly DomainObject[]> {}

@QueryHandler(GetDomains)
export class GetDomainsHandler implements IQueryHandler<GetDomains> {
  constructor(private readonly follower: DirectoryFollower) {}

  execute(): Promise<readonly DomainObject[]> {
    return Promise.resolve((this.follower.current().organization?.domains ?? []).map(domainObject));
  }
}

/** What everyone may know about the server before they log in. */
type ServerSettings = Readonly<Record<string, unknown>>;

/** Reads what clients need before they have credentials (`GET /server_settings`). */
export class GetServerSettings extends Query<ServerSettings> {}

@QueryHandler(GetServerSettings)
export class GetServerSettingsHandler implements IQueryHandler<GetServerSettings> {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
    private readonly descriptions: Descriptions,
    private readonly push: ConfiguredRelay,
    private readonly external: ExternalMethods,
  ) {}

  execute(): Promise<ServerSettings> {
    const { url } = this.address;
    const { organization } = this.follower.current();
    const settings = organization?.settings;
    return Promise.resolve({
      authentication_methods: { ...authenticationMethods, 'openid connect': this.external.all.length > 0 },
      ...apiVersion,
      push_notifications_enabled: this.push.relay !== null,
      is_incompatible: false,
      email_auth_enabled: authenticationMethods.email,
      require_email_format_usernames: true,
      realm_url: url,
      realm_name: settings?.name ?? '',
      realm_icon: `${url}${pictureOf(organization ?? {}, 'icon').url}`,
      realm_description: this.descriptions.html(settings?.description ?? ''),
      // Nothing is public on the web.
      realm_web_public_access_enabled: false,
      external_authentication_methods: this.external.all,
      realm_uri: url,
    });
  }
}
