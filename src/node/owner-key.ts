import type { CredentialStore, StoredApiKey } from '../stores/credential-store/port.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { Clock } from '../kernel/clock.js';
import { handle } from '../kernel/handle.js';
import { apiKeyDigest, newApiKey } from '../contexts/users/api-key.js';
import type { UserEvent } from '../events/users.js';
import { isOwner } from '../access/records/roles.js';
import { userDirectoryFold, usersStream, type UserDirectory } from '../contexts/users/users.state.js';
import type { User } from '../access/records/user.js';
import {
  keyInFile,
  moveCredentialsFile,
  ownerDraftIn,
  ownerFileIn,
  removeCredentialsFile,
  writeCredentialsFile,
} from '../contexts/organization/credentials-file.js';
import { firstOwnerId } from '../access/system-bots.js';
import { OperatorError } from '../kernel/errors.js';

/** What the owner's key is given out with. */
export interface OwnerKeyOptions {
  readonly configuration: { readonly dataDirectory: string };
  readonly stores: { readonly log: EventLog; readonly credentialStore: CredentialStore };
  readonly clock: Clock;
}

/** Nobody owns the organization, so nobody can be given a key. */
export class NoOwnerError extends OperatorError {
  override readonly name = 'NoOwnerError';
  constructor() {
    super('The organization has no active owner yet: start the server once, and it makes one.');
  }
}

/**
 * Gives the owner of a new organization a key, in the credentials file, unless they have one. The file is there before the
 * key is live: a start that was cut off in between left a file whose key opens nothing, and the next one makes another. A
 * reset that was cut off is finished first.
 *
 * @param site address that the file names
 */
export async function provideOwnerKey(options: OwnerKeyOptions, site: string): Promise<void> {
  await finishReset(options);
  const { credentialStore } = options.stores;
  const owner = (await allUsers(options)).users.get(firstOwnerId);
  if (owner?.isActive !== true || (await credentialStore.apiKeys(owner.id)).length > 0) return;
  const file = ownerFileIn(options.configuration.dataDirectory);
  await credentialStore.addApiKey(await writeNewKey(options, owner, { file, site }));
}

/**
 * Revokes every key of the owner and gives them a new one, in the credentials file. The new key waits in a file of its own
 * until it is live; from then on the reset counts, and if it is cut off the next start or reset finishes it. Cut off before, it
 * never was.
 *
 * @param site address that the file names
 * @returns where the file is
 * @throws NoOwnerError
 */
export async function resetOwnerKey(options: OwnerKeyOptions, site: string): Promise<string> {
  const { configuration, stores } = options;
  await finishReset(options);
  const owner = presentOwner(await allUsers(options));
  const file = ownerDraftIn(configuration.dataDirectory);
  const key = await writeNewKey(options, owner, { file, site });
  await stores.credentialStore.revokeApiKeys(owner.id, key);
  await finishReset(options);
  return ownerFileIn(configuration.dataDirectory);
}

/** What the operator is told: where the key is, and never the key. */
export function resetMessage(file: string): string {
  return `The owner has a new API key: ${file}. Every earlier one is revoked.`;
}

/** Records a reset whose key is live and puts its file in place; forgets one whose key is not. */
async function finishReset(options: OwnerKeyOptions): Promise<void> {
  const { configuration, stores } = options;
  const draft = ownerDraftIn(configuration.dataDirectory);
  const key = await keyInFile(draft);
  if (key === null) return;
  const live = await stores.credentialStore.findApiKey(apiKeyDigest(key));
  if (live === null) return removeCredentialsFile(draft);
  await recordReset(options, live);
  await moveCredentialsFile(draft, ownerFileIn(configuration.dataDirectory));
}

async function recordReset(
  { stores, clock }: OwnerKeyOptions,
  { userId, digest }: StoredApiKey,
): Promise<void> {
  await handle(new FoldedStreams(stores.log), {
    stream: usersStream,
    fold: userDirectoryFold,
    decide: (): readonly UserEvent[] => [{ type: 'ApiKeyRegenerated', data: { userId } }],
    metadata: {
      actorId: null,
      commandId: commandIdOf(['reset-owner-key', digest]),
      causationId: null,
      client: 'palimpsest',
      at: clock.now(),
    },
  });
}

async function writeNewKey(
  { clock }: OwnerKeyOptions,
  { id: userId, email }: User,
  { file, site }: { readonly file: string; readonly site: string },
): Promise<StoredApiKey> {
  const key = newApiKey();
  await writeCredentialsFile(file, { email, key, site });
  return {
    userId,
    digest: apiKeyDigest(key),
    createdAt: clock.now(),
    sealed: null,
    client: null,
    lastUsedAt: null,
  };
}

/** The first owner, or whoever owns the organization since. */
function presentOwner({ users }: UserDirectory): User {
  const owners = [...users.values()].filter((user) => user.isActive && user.bot === null && isOwner(user));
  const [oldest] = owners.sort((a, b) => a.id - b.id);
  if (oldest === undefined) throw new NoOwnerError();
  return oldest;
}

async function allUsers({ stores }: OwnerKeyOptions): Promise<UserDirectory> {
  const streams = new FoldedStreams(stores.log);
  return (await streams.load({ stream: usersStream, fold: userDirectoryFold })).state;
}
