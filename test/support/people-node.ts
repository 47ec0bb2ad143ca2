import { silentLogger } from '../../projections/engine/logger.js';
import { DirectoryFollower } from '../../src/access/directory-follower.js';
import { FoldedStreams } from '../../src/stores/event-store/folded-streams.js';
import { ConsistentLog } from '../../src/http/consistency.js';
import { bootstrapOrganization } from '../../src/node/bootstrap.js';
import { SystemClock } from '../../src/runtime/system-clock.js';
import { Decisions } from '../../src/http/decisions.js';
import { ApiKeyAuthenticator } from '../../src/contexts/users/authentication.js';
import { CreateUser, CreateUserHandler } from '../../src/contexts/users/commands/users.js';
import { Credentials } from '../../src/contexts/users/credentials.js';
import { FailedLogIns } from '../../src/contexts/users/security/failed-log-ins.js';
import { SecurityRecords } from '../../src/contexts/users/security/security-records.js';
import { AfterReply } from '../../src/http/after-reply.js';
import { EmailLookup } from '../../src/access/email-lookup.js';
import { PasswordPolicy } from '../../src/contexts/users/password-policy.js';
import { SecondFactorChanges, SecondFactors } from '../../src/contexts/users/second-factors.js';
import { KeyRenewals } from '../../src/contexts/users/key-renewals.js';
import type { TemporaryStores } from './temporary-stores.js';

/** The part of a node that knows people, without HTTP. Several of them on the same stores stand for several nodes of one server. */
export interface PeopleNode {
  readonly decisions: Decisions;
  readonly authenticator: ApiKeyAuthenticator;
  readonly credentials: Credentials;
  readonly renewals: KeyRenewals;
  readonly records: SecurityRecords;
  readonly failures: FailedLogIns;
  readonly secondFactors: SecondFactorChanges;
  /** Accepts every password that is long enough. */
  readonly passwords: PasswordPolicy;
  readonly emails: EmailLookup;
  readonly follower: DirectoryFollower;
  /** Creates an account as the owner, and returns its id. */
  createUser(email: string, password?: string): Promise<number>;
}

/** For callbacks that must not be called in a test. */
function fail(error: unknown): never {
  throw error;
}

/** The owner as the caller of a request. */
export const owner = { userId: 3, client: 'test', requestId: 'test' };

/**
 * Starts a node; the first one creates the organization.
 *
 * @param onLost called when the last use of a key cannot be stored; by default the test fails
 */
export async function startPeopleNode(
  stores: TemporaryStores,
  onLost: (error: unknown) => void = fail,
): Promise<PeopleNode> {
  const clock = new SystemClock();
  const configuration = { organizationName: 'Engines', ownerEmail: 'ada@example.com', ownerName: 'Ada' };
  await bootstrapOrganization({ configuration, stores, clock });
  const follower = new DirectoryFollower({
    log: stores.log,
    model: () => Promise.resolve(null),
    logger: silentLogger,
  });
  await follower.start();
  const log = new ConsistentLog(stores.log, [
    // Longer than a reply waits: on a busy machine what was written is read, too.
    { waitUntil: (write) => follower.waitUntil(write, 60_000) },
  ]);
  const decisions = new Decisions(new FoldedStreams(stores.log), follower, clock, log);
  const records = new SecurityRecords(decisions, clock);
  const failures = new FailedLogIns(records, new AfterReply({ error: fail }), clock);
  const emails = new EmailLookup(stores.vault);
  const credentials = new Credentials({
    store: stores.credentialStore,
    vault: stores.vault,
    clock,
    onLost,
  });
  const factors = new SecondFactors({
    store: stores.credentialStore.secondFactors,
    vault: stores.vault,
    clock,
  });
  const secondFactors = new SecondFactorChanges(factors, decisions, clock);
  const anyPassword = { guesses: () => Promise.resolve(Infinity), close: () => undefined };
  const passwords = new PasswordPolicy(follower, anyPassword);
  const creating = new CreateUserHandler(decisions, emails, credentials, passwords);
  return {
    decisions,
    credentials,
    passwords,
    renewals: new KeyRenewals(decisions, credentials, records),
    records,
    failures,
    secondFactors,
    emails,
    follower,
    authenticator: new ApiKeyAuthenticator(credentials, emails, follower, stores.log),
    createUser: (email, password = 'correct horse') =>
      creating.execute(new CreateUser(owner, { email, password, fullName: 'Some One' })),
  };
}
