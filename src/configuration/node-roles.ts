import { oneOf, ConfigurationError } from './configuration-values.js';

/** A role of a process in an installation. */
export type NodeRole = 'api' | 'projector';

const nodeRoleNames = ['api', 'projector'] as const;

/** The roles of a process, and the servers of its stores; null: embedded. */
interface SplitInstallation {
  readonly nodeRoles: ReadonlySet<NodeRole>;
  readonly eventStoreUrl: string | null;
  readonly mongodbUrl: string | null;
}

/** The roles of a process; without names, it has all of them. @throws ConfigurationError */
export function roles(names: readonly string[]): ReadonlySet<NodeRole> {
  return new Set(
    names.length === 0 ? nodeRoleNames : names.map((name) => oneOf('NODE_ROLES', name, nodeRoleNames)),
  );
}

/**
 * Embedded stores belong to one process: an installation that splits the roles needs both database servers.
 *
 * @throws ConfigurationError
 */
export function refuseImpossibleRoles({ nodeRoles, eventStoreUrl, mongodbUrl }: SplitInstallation): void {
  if (nodeRoles.size === nodeRoleNames.length || (eventStoreUrl !== null && mongodbUrl !== null)) return;
  throw new ConfigurationError(
    `NODE_ROLES can name one role only when EVENTSTORE_URL and MONGODB_URL are both set: embedded stores serve one process.`,
  );
}
