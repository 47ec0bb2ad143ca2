import { z } from 'zod';
import { apiNameOf } from './setting-names.js';
import { organizationPermissionNames } from '../../events/values/organization-permissions.js';
import {
  organizationSettingNames,
  organizationSettingTable,
} from '../../events/values/organization-settings.js';
import {
  type Described,
  fieldsLike,
  groupSetting,
  html,
  id,
  named,
} from '../../http/replies/common-schemas.js';
import type { AllowedDomain } from '../../access/records/allowed-domains.js';
import type { CodePlayground } from '../../access/records/code-playgrounds.js';

/** The log-in methods, under the names that clients know: by e-mail address and password. */
export const authenticationMethods = {
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

/** An allowed domain in the API. */
export const domainSchema = named(
  'AllowedDomain',
  z.strictObject({ domain: z.string(), allow_subdomains: z.boolean() }),
);

/** Type of {@link domainSchema}. */
export type DomainObject = Described<typeof domainSchema>;

/** A code playground in the API. */
export const codePlaygroundSchema = named(
  'CodePlayground',
  z.strictObject({
    id,
    name: z.string(),
    pygments_language: z.string(),
    url_template: z.string().describe('URL template (RFC 6570)'),
  }),
);

/** Type of {@link codePlaygroundSchema}. */
export type CodePlaygroundObject = Described<typeof codePlaygroundSchema>;

/** Schemas of the organization's settings, by their names in the API. */
export const settingFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  organizationSettingNames.map((name) => [
    apiNameOf(name),
    organizationSettingTable[name].schema.describe(organizationSettingTable[name].meaning),
  ]),
);

/** Schemas of the organization's permissions, by name. */
export const permissionFields: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  organizationPermissionNames.map((name) => [name, groupSetting]),
);

/** Answered by `GET server_settings`. */
export const serverSettingsReply = {
  authentication_methods: z.strictObject(fieldsLike(authenticationMethods)),
  zulip_version: z.string(),
  zulip_merge_base: z.string(),
  zulip_feature_level: z.int(),
  push_notifications_enabled: z.boolean(),
  is_incompatible: z.literal(false),
  email_auth_enabled: z.boolean(),
  require_email_format_usernames: z.boolean(),
  realm_url: z.string(),
  realm_uri: z.string(),
  realm_name: z.string(),
  realm_icon: z.string(),
  realm_description: html,
  realm_web_public_access_enabled: z.literal(false),
  external_authentication_methods: z.array(
    z.strictObject({
      name: z.string(),
      display_name: z.string(),
      display_icon: z.null(),
      login_url: z.string(),
      signup_url: z.string(),
    }),
  ),
};

/** Answered by `GET realm/domains`. */
export const domainsReply = { domains: z.array(domainSchema) };

/** Answered by `POST realm/domains`. */
export const allowedDomainReply = {
  new_domain: z.tuple([id, z.string()]).describe('The id and the name of the domain'),
};

/** Answered by `POST realm/playgrounds`. */
export const addedPlaygroundReply = { id };

/** Answered by `POST realm/icon`, `DELETE realm/icon`. */
export const iconReply = { icon_url: z.string() };

/** Formats a code playground for the API. */
export function codePlaygroundObject(playground: CodePlayground): CodePlaygroundObject {
  const { playgroundId: id, name, language, urlTemplate } = playground;
  return { id, name, pygments_language: language, url_template: urlTemplate };
}

/** Formats an allowed domain for the API. */
export function domainObject({ domain, allowSubdomains }: Omit<AllowedDomain, 'id'>): DomainObject {
  return { domain, allow_subdomains: allowSubdomains };
}
