import { appendIfFirst } from '../stores/event-store/append-if-first.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import type { Clock } from '../kernel/clock.js';
import type { DomainEvent } from '../kernel/event.js';
import type { Vault } from '../stores/key-store/vault.js';
import { GROUPS_STREAM } from '../contexts/users/user-groups.state.js';
import { USERS_STREAM } from '../contexts/users/users.state.js';
import { firstGroups, firstOrganization, firstUsers } from '../contexts/organization/first-events.decide.js';
import { ORGANIZATION_STREAM } from '../access/records/organization.js';

/** Dependencies of {@link bootstrapOrganization}. */
interface BootstrapOptions {
  readonly configuration: {
    readonly organizationName: string;
    readonly ownerEmail: string;
    readonly ownerName: string;
  };
  readonly stores: { readonly log: EventLog; readonly vault: Pick<Vault, 'emailDigest'> };
  readonly clock: Clock;
}

/**
 * Creates the organization, its system groups, the system bots and the owner if they are missing. Each stream is
 * created by one append that expects no stream: if several nodes start on an empty log, only one of them creates
 * it, and the next start completes one that was interrupted.
 */
export async function bootstrapOrganization({
  configuration,
  stores,
  clock,
}: BootstrapOptions): Promise<void> {
  const { organizationName, ownerEmail: email, ownerName: fullName } = configuration;
  const begin = (stream: string, events: readonly DomainEvent[]): Promise<void> =>
    beginStream(stores.log, { stream, at: clock.now() }, events);
  await begin(ORGANIZATION_STREAM, firstOrganization(organizationName));
  await begin(GROUPS_STREAM, firstGroups());
  await begin(
    USERS_STREAM,
    firstUsers({ email, fullName }, (address) => stores.vault.emailDigest(address)),
  );
}

async function beginStream(
  log: EventLog,
  { stream, at }: { readonly stream: string; readonly at: number },
  events: readonly DomainEvent[],
): Promise<void> {
  const [begun] = await log.store.readStream(stream, { limit: 1 });
  if (begun !== undefined) return;
  const commandId = commandIdOf(['bootstrap', stream]);
  const metadata = { actorId: null, commandId, causationId: null, client: 'palimpsest', at };
  // If another node has created it first, its organization is used.
  await appendIfFirst(log, { target: { stream, expected: 'no-stream' }, events, metadata });
}
