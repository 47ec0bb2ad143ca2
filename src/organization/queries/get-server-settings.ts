import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DirectoryFollower } from '../../directory/directory-follower.js';
import { gravatarUrl } from '../../users/avatar.js';
import { apiVersion } from '../api-version.js';
import { PublicAddress } from '../public-address.js';

const authenticationMethods = {
  password: true,
  dev: false,
  email: true,
  ldap: false,
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
  'openid connect': false,
} as const;

/** What everyone may know of the server before they log in. */
export type ServerSettings = Readonly<Record<string, unknown>>;

/** Reads what clients ask for before they have credentials (facts, section 5, GET server_settings). */
export class GetServerSettings extends Query<ServerSettings> {}

@QueryHandler(GetServerSettings)
export class GetServerSettingsHandler implements IQueryHandler<GetServerSettings> {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly address: PublicAddress,
  ) {}

  execute(): Promise<ServerSettings> {
    const { url } = this.address;
    return Promise.resolve({
      authentication_methods: authenticationMethods,
      ...apiVersion,
      push_notifications_enabled: false,
      is_incompatible: false,
      email_auth_enabled: true,
      require_email_format_usernames: true,
      realm_url: url,
      realm_name: this.follower.current().organization?.settings.name ?? '',
      realm_icon: gravatarUrl(''),
      realm_description: '',
      realm_web_public_access_enabled: false,
      external_authentication_methods: [],
      realm_uri: url,
    });
  }
}
