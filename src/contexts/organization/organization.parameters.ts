import { z } from 'zod';
import { permissionChangeSchema } from '../../events/values/group-setting.js';
import {
  organizationPermissionNames,
  organizationPermissionTable,
} from '../../events/values/organization-permissions.js';
import {
  organizationSettingNames,
  organizationSettingTable,
} from '../../events/values/organization-settings.js';
import type {
  OrganizationSetting,
  SettingChanger,
  SettingKind,
} from '../../events/values/organization-setting-kinds.js';
import {
  TextParameter,
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  JsonParameter,
  type ParameterOptions,
} from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';
import type { OrganizationChanges } from './organization.decide.js';
import { apiNameOf } from './setting-names.js';
import { MAX_DOMAIN_LENGTH } from '../../access/records/allowed-domains.js';
import {
  playgroundTemplate,
  playgroundName,
  playgroundLanguage,
} from '../../access/records/code-playgrounds.js';

/** Parameters of POST /realm/playgrounds (`realm_playgrounds`). */
export class AddCodePlaygroundParameters {
  @TextParameter({
    maxLength: playgroundName.max,
    required: true,
    example: 'Rust play',
    description: 'The name that people choose the playground by: at most 100 characters.',
  })
  name!: string;

  @TextParameter({
    maxLength: playgroundLanguage.max,
    required: true,
    example: 'Rust',
    description: 'The language of the code blocks that can be opened there: at most 40 characters.',
  })
  pygments_language!: string;

  @TextParameter({
    maxLength: playgroundTemplate.max,
    required: true,
    example: 'https://rust.example.com/?code={code}',
    description: 'An RFC 6570 template of a web page, with `code` as its only variable.',
  })
  url_template!: string;
}

/** Parameters of POST /realm/domains. */
export class AllowDomainParameters {
  @TextParameter({
    maxLength: MAX_DOMAIN_LENGTH,
    countsUtf16: true,
    example: 'example.com',
    required: true,
    description: 'The domain: at most 255 characters.',
  })
  domain!: string;

  @BooleanParameter({
    example: true,
    required: true,
    description: 'Whether the subdomains of the domain are allowed as well.',
  })
  allow_subdomains!: boolean;
}

/** Parameters of PATCH /realm/domains/{domain}. */
export class ChangeDomainParameters {
  @BooleanParameter({
    example: false,
    required: true,
    description: 'Whether the subdomains of the domain are allowed as well.',
  })
  allow_subdomains!: boolean;
}

/**
 * Parameters of PATCH /realm: one for each row of `organizationSettingTable` and of `organizationPermissionTable`. They
 * are declared below.
 */
export class UpdateOrganizationParameters {}

/** The parameter decorator of each kind of setting, with its options for the documentation page. */
const decoratorOf: Readonly<Record<SettingKind, (options: ParameterOptions) => PropertyDecorator>> = {
  flag: BooleanParameter,
  number: IntegerParameter,
  channel: (options) => IntegerParameter(saying(options, 'The id of a channel.')),
  text: TextParameter,
  address: (options) => JsonOrTextParameter(saying(options, 'An http or https URL, or `default`.')),
  choice: JsonOrTextParameter,
  limit: (options) => JsonOrTextParameter({ ...saying(options, 'Or `unlimited`.'), nullable: true }),
  retention: (options) => JsonOrTextParameter(saying(options, 'Or `unlimited`.')),
};

for (const name of organizationSettingNames) {
  const { kind, meaning, changedBy, schema, maxLength } = organizationSettingTable[
    name
  ] as OrganizationSetting<unknown>;
  const values = schema instanceof z.ZodEnum ? { values: schema.options } : {};
  const parameter = apiNameOf(name);
  const alias = parameter === name ? {} : { alias: name };
  const bounds = maxLength === undefined ? {} : { maxLength };
  const options = { description: described(meaning, changedBy), ...bounds, ...values, ...alias };
  decoratorOf[kind](options)(UpdateOrganizationParameters.prototype, parameter);
}

for (const name of organizationPermissionNames) {
  const { permits, changedBy } = organizationPermissionTable[name];
  const options = {
    maxItems: budgets.namedInPermission.max,
    schema: permissionChangeSchema,
    description: described(`Who has the right of ${permits}.`, changedBy),
  };
  const form = '`{"new": group-setting value, "old": the value that the client believes it has}`.';
  JsonParameter(saying(options, form))(UpdateOrganizationParameters.prototype, name);
}

function described(meaning: string, changedBy: SettingChanger): string {
  return changedBy === 'owners' ? `${meaning} Owners only.` : meaning;
}

function saying<Options extends ParameterOptions>(options: Options, more: string): Options {
  return { ...options, description: `${options.description ?? ''} ${more}` };
}

/** The changes in the form of the decider. */
export function organizationChanges(parameters: UpdateOrganizationParameters): OrganizationChanges {
  const sent: Readonly<Record<string, unknown>> = { ...parameters };
  const sentOf = (names: readonly (readonly [name: string, parameter: string])[]): object =>
    Object.fromEntries(
      names
        .filter(([, parameter]) => sent[parameter] !== undefined)
        .map(([name, parameter]) => [name, sent[parameter]]),
    );
  return {
    settings: sentOf(organizationSettingNames.map((name) => [name, apiNameOf(name)])),
    permissions: sentOf(organizationPermissionNames.map((name) => [name, name])),
  };
}

/** Parameters of POST /realm/deactivate. */
export class DeactivateOrganizationParameters {
  @IntegerParameter({
    nullable: true,
    description:
      'After how many days operators are to delete all data; null or absent: never. See `server_min_deactivated_realm_deletion_days`.',
  })
  deletion_delay_days?: number | null;
}
