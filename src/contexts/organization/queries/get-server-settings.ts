import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Descriptions } from '../../channels/descriptions.js';
import { DirectoryFollower } from '../../../access/directory-follower.js';
import { ConfiguredRelay } from '../../push/configured-relay.js';
import { apiVersion } from '../../../http/api-version.js';
import { authenticationMethods } from '../authentication-methods.js';
import { ExternalMethods } from '../../../http/authentication/external-methods.js';
import { pictureOf } from '../pictures.js';
import { PublicAddress } from '../../../http/public-address.js';

/** What everyone may know about the server before they log in. */
export type ServerSettings = Readonly<Record<string, unknown>>;

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
