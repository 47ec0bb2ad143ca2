import type { CredentialStore, StoredApiKey } from '../stores/credential-store/port.js';
import { commandIdOf } from '../stores/event-store/event-id.js';
import type { EventLog } from '../stores/event-store/event-log.js';
import { FoldedStreams } from '../stores/event-store/folded-streams.js';
import type { Clock } from '../kernel/clock.js';
import { handle } from '../kernel/handle.js';
import { apiKeyDigest, apiKeyId, newApiKey } from '../contexts/users/api-keys.js';
import { keysRenewed } from '../contexts/users/bot-key-renewal.decide.js';
import { securityOf } from '../contexts/users/security/log-in-failures.state.js';
import { decideIssueApiKey } from '../contexts/users/security/security-records.decide.js';
import { isActiveOwner } from '../access/records/roles.js';
import { userDirectoryFold, USERS_STREAM, type UserDirectory } from '../contexts/users/users.state.js';
import type { User } from '../access/records/user.js';
import {
  keyInFile,
  moveCredentialsFile,
  ownerDraftIn,
  ownerFileIn,
  removeCredentialsFile,
  writeCredentialsFile,
} from '../contexts/organization/credentials-file.js';
import { FIRST_OWNER_ID } from '../access/system-bots.js';
import { OperatorError } from '../kernel/errors.js';

/** What is needed to issue the owner's key. */
interface OwnerKeyOptions {
  readonly configuration: { readonly dataDirectory: string };
  readonly stores: { readonly log: EventLog; readonly credentialStore: CredentialStore };
  readonly clock: Clock;
}

/** The organization has no owner to whom a key could be issued. */
export class NoOwnerError extends OperatorError {
  override readonly name = 'NoOwnerError';
  constructor() {
    super('The organization has no active owner yet: start the server once, and it makes one.');
  }
}

/**
 * Issues a key to the owner of a new organization and writes it to the credentials file, unless the owner has a
 * key. The file is written before the key is stored: if the process is interrupted in between, the key in the file
 * is invalid, and the next start issues another one. An interrupted reset is completed first.
 *
 * @param site the server's address in the file
 */
export async function provideOwnerKey(options: OwnerKeyOptions, site: string): Promise<void> {
  await finishReset(options);
  const { credentialStore } = options.stores;
  const owner = (await allUsers(options)).users.get(FIRST_OWNER_ID);
  if (owner?.isActive !== true || (await credentialStore.apiKeys(owner.id)).length > 0) return;
  const file = ownerFileIn(options.configuration.dataDirectory);
  await credentialStore.addApiKey(await writeNewKey(options, owner, { file, site }));
}

/**
 * Revokes all keys of the owner, issues a new one and writes it to the credentials file. The new key is written to
 * a temporary file until it is stored. If the process is interrupted after that, the next start or reset completes
 * the reset; if before, the reset has no effect.
 *
 * @param site the server's address in the file
 * @returns the path of the credentials file
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

/** The message to the operator: where the key is, but never the key itself. */
export function resetMessage(file: string): string {
  return `The owner has a new API key: ${file}. Every earlier one is revoked.`;
}

/**
 * Completes a reset whose key is stored: records it and moves its file into place. Discards one whose key is not
 * stored.
 */
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

/**
 * Without `Decisions`, because the command line also does this while no server runs: there is no directory then, and no
 * reader to wait for.
 */
async function recordReset(
  { stores, clock }: OwnerKeyOptions,
  { userId, digest }: StoredApiKey,
): Promise<void> {
  const streams = new FoldedStreams(stores.log);
  const client = 'palimpsest';
  const metadata = { actorId: null, causationId: null, client, at: clock.now() };
  const issued = { userId, reason: 'regenerated', keyId: apiKeyId(digest), address: '', client } as const;
  await handle(streams, {
    ...securityOf(userId),
    decide: () => decideIssueApiKey(issued),
    metadata: { ...metadata, commandId: commandIdOf(['reset-owner-key', digest, 'issued']) },
  });
  await handle(streams, {
    stream: USERS_STREAM,
    fold: userDirectoryFold,
    decide: () => keysRenewed([userId]),
    metadata: { ...metadata, commandId: commandIdOf(['reset-owner-key', digest]) },
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

/** The active owner with the lowest id. */
function presentOwner({ users }: UserDirectory): User {
  const owners = [...users.values()].filter(isActiveOwner);
  const [oldest] = owners.sort((a, b) => a.id - b.id);
  if (oldest === undefined) throw new NoOwnerError();
  return oldest;
}

async function allUsers({ stores }: OwnerKeyOptions): Promise<UserDirectory> {
  const streams = new FoldedStreams(stores.log);
  return (await streams.load({ stream: USERS_STREAM, fold: userDirectoryFold })).state;
}
