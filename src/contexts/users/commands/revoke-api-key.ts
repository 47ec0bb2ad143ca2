import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import { Accounts } from '../accounts.js';
import { apiKeyId } from '../api-key.js';
import { Credentials } from '../credentials.js';
import type { Acting } from '../decisions.js';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import { SecurityRecords } from '../security/security-records.js';
import type { UserEvent } from '../../../events/users.js';
import { actingUser, type UserDirectory } from '../user-directory.js';

/** Ends one of the caller's own API keys. */
export class RevokeApiKey extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** As the list of keys names it. */
    readonly keyId: string,
  ) {
    super();
  }
}

/** Everyone may end their own keys, and nobody else's. */
export function decideRevokeApiKey(
  state: UserDirectory,
  { client }: { readonly client: string | null },
  { actorId }: Acting,
): readonly UserEvent[] {
  return [{ type: 'ApiKeyRevoked', data: { userId: actingUser(state, actorId).id, client } }];
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(
    private readonly accounts: Accounts,
    private readonly credentials: Credentials,
    private readonly records: SecurityRecords,
  ) {}

  /**
   * The key ends before the log says so: cut off between the two, it is ended without a word, and never said to be ended while it
   * lets somebody in.
   *
   * @throws ApplicationError `noSuchApiKey`, for a key of somebody else too
   */
  async execute({ caller, keyId }: RevokeApiKey): Promise<void> {
    const keys = await this.credentials.liveKeys(caller.userId);
    const key = keys.find(({ digest }) => apiKeyId(digest) === keyId);
    if (key === undefined) throw failure('noSuchApiKey');
    await this.credentials.revokeKey(key);
    await this.accounts.decide(caller, (state, by) => decideRevokeApiKey(state, key, by));
    const { userId } = caller;
    const ended = { userId, reason: 'revoked', keyId, ...originOfCaller(caller) } as const;
    await this.records.record([{ type: 'ApiKeyEnded', data: ended }], userId);
  }
}
