import { silentLogger } from '../../projections/engine/logger.js';
import { DirectoryFollower } from '../../src/directory/directory-follower.js';
import { FoldedStreams } from '../../src/event-store/folded-streams.js';
import { ConsistentLog } from '../../src/http/consistency.js';
import { bootstrapOrganization } from '../../src/organization/bootstrap.js';
import { SystemClock } from '../../src/system-clock.js';
import { Accounts } from '../../src/users/accounts.js';
import { ApiKeyAuthenticator } from '../../src/users/authentication.js';
import { CreateUser, CreateUserHandler } from '../../src/users/commands/create-user.js';
import { Credentials } from '../../src/users/credentials.js';
import { EmailLookup } from '../../src/users/email-lookup.js';
import type { TemporaryStores } from './temporary-stores.js';

/** What a node knows of people, without HTTP: several of them on the same stores are several nodes of one server. */
export interface PeopleNode {
  readonly accounts: Accounts;
  readonly authenticator: ApiKeyAuthenticator;
  readonly credentials: Credentials;
  readonly emails: EmailLookup;
  readonly follower: DirectoryFollower;
  /** Makes an account as the owner, and answers its id. */
  createUser(email: string, password?: string): Promise<number>;
}

/** The owner, as a request of theirs. */
export const owner = { userId: 3, client: 'test', requestId: 'test' };

/** Starts a node; the first one makes the organization. */
export async function startPeopleNode(stores: TemporaryStores): Promise<PeopleNode> {
  const clock = new SystemClock();
  const configuration = { organizationName: 'Engines', ownerEmail: 'ada@example.com', ownerName: 'Ada' };
  await bootstrapOrganization({ configuration, stores, clock });
  const follower = new DirectoryFollower({
    log: stores.log,
    model: () => Promise.resolve(null),
    logger: silentLogger,
  });
  await follower.start();
  const log = new ConsistentLog(stores.eventStore, stores.codec, [
    { waitUntil: (write) => follower.waitUntil(write, write.milliseconds) },
  ]);
  const accounts = new Accounts(new FoldedStreams(log), follower, clock);
  const emails = new EmailLookup(stores.vault);
  const credentials = new Credentials({ store: stores.credentialStore, vault: stores.vault, clock });
  const creating = new CreateUserHandler(accounts, emails, credentials);
  return {
    accounts,
    credentials,
    emails,
    follower,
    authenticator: new ApiKeyAuthenticator(credentials, emails, follower, stores.log),
    createUser: (email, password = 'correct horse') =>
      creating.execute(new CreateUser(owner, { email, password, fullName: 'Some One' })),
  };
}
