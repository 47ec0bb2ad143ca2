import {
  BooleanParameter,
  IntegerParameter,
  JsonOrTextParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { permissionChangeSchema, type PermissionChange } from '../group-setting.js';
import type { OrganizationChanges } from '../organization-changes.js';
import {
  organizationPermissionNames,
  organizationPermissionTable,
  type OrganizationPermissionName,
} from '../permissions.js';
import {
  organizationSettingNames,
  organizationSettingTable,
  type OrganizationSettingName,
  type SettingChanger,
  type SettingKind,
} from '../settings.js';

type Sent = Partial<Record<OrganizationSettingName, unknown>> &
  Partial<Record<OrganizationPermissionName, PermissionChange>>;

/** Parameters of PATCH /realm: one for every row of the two tables, each of which says how it is sent. */
export class UpdateOrganizationParameters {}

const decoratorOf: Readonly<Record<SettingKind, (description: string) => PropertyDecorator>> = {
  flag: (description) => BooleanParameter({ description }),
  number: (description) => IntegerParameter({ description }),
  channel: (description) => IntegerParameter({ description: `${description}; -1: nowhere` }),
  text: (description) => TextParameter({ description }),
  choice: (description) => JsonOrTextParameter({ description }),
  limit: (description) =>
    JsonOrTextParameter({ description: `${description}: seconds, or \`unlimited\``, nullable: true }),
  retention: (description) => JsonOrTextParameter({ description: `${description}; or \`unlimited\`` }),
};

for (const name of organizationSettingNames) {
  const { kind, meaning, changedBy } = organizationSettingTable[name];
  decoratorOf[kind](describe(meaning, changedBy))(UpdateOrganizationParameters.prototype, name);
}

for (const name of organizationPermissionNames) {
  const { permits, changedBy } = organizationPermissionTable[name];
  JsonParameter({
    schema: permissionChangeSchema,
    description: `${describe(`who is permitted ${permits}`, changedBy)} \`{"new": group-setting value, "old": the value that the client believes it has}\`.`,
  })(UpdateOrganizationParameters.prototype, name);
}

function describe(meaning: string, changedBy: SettingChanger): string {
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  return changedBy === 'owners' ? `${sentence} Owners only.` : sentence;
}

/** The changes as the domain knows them: what was sent. */
export function organizationChanges(parameters: UpdateOrganizationParameters): OrganizationChanges {
  const sent: Sent = parameters;
  const sentOf = <Name extends keyof Sent>(names: readonly Name[]): Partial<Pick<Sent, Name>> =>
    Object.fromEntries(
      names.filter((name) => sent[name] !== undefined).map((name) => [name, sent[name]]),
    ) as Partial<Pick<Sent, Name>>;
  return {
    settings: sentOf(organizationSettingNames),
    permissions: sentOf(organizationPermissionNames),
  };
}
