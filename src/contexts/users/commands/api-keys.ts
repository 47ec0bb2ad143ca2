import { foldedUsers } from '../users.state.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { originOfCaller } from '../../../http/authentication/request-origin.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { Credentials } from '../credentials.js';
import { KeyRenewals } from '../key-renewals.js';
import { decideRevokeApiKey } from '../keys.decide.js';
import { failure } from '../../../kernel/errors.js';
import { apiKeyId } from '../api-keys.js';
import { SecurityRecords } from '../security/security-records.js';
import { decideEndApiKey } from '../security/security-records.decide.js';

/** Revokes all keys of an account and issues a new one, which it returns. */
export class RegenerateApiKey extends Command<string> {
  constructor(
    readonly caller: Caller,
    readonly userId: number,
  ) {
    super();
  }
}

@CommandHandler(RegenerateApiKey)
export class RegenerateApiKeyHandler implements ICommandHandler<RegenerateApiKey> {
  constructor(private readonly renewals: KeyRenewals) {}

  execute({ caller, userId }: RegenerateApiKey): Promise<string> {
    return this.renewals.regenerate(caller, userId);
  }
}

/** Revokes one of the caller's own API keys. */
export class RevokeApiKey extends Command<void> {
  constructor(
    readonly caller: Caller,
    /** Its id in the list of keys. */
    readonly keyId: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeApiKey)
export class RevokeApiKeyHandler implements ICommandHandler<RevokeApiKey> {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
    private readonly records: SecurityRecords,
  ) {}

  /**
   * The key is revoked before the event is appended: if the command is interrupted in between, a revocation
   * is missing in the log, but the log never says that a key which still works was revoked.
   *
   * @throws ApplicationError `noSuchApiKey`, also for somebody else's key
   */
  async execute({ caller, keyId }: RevokeApiKey): Promise<void> {
    const keys = await this.credentials.liveKeys(caller.userId);
    const key = keys.find(({ digest }) => apiKeyId(digest) === keyId);
    if (key === undefined) throw failure('noSuchApiKey');
    await this.credentials.revokeKey(key);
    await this.decisions.decide(caller, foldedUsers, (state, actor) => decideRevokeApiKey(state, key, actor));
    const { userId } = caller;
    const ended = { userId, reason: 'revoked', keyId, ...originOfCaller(caller) } as const;
    await this.records.record(decideEndApiKey(ended), userId);
  }
}
