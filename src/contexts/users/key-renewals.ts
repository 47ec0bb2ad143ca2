import { foldedUsers, type UserDirectory } from './users.state.js';
import type { Actor } from '../../access/actor.js';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Decisions } from '../../http/decisions.js';
import { originOfCaller } from '../../http/authentication/request-origin.js';
import { Credentials } from './credentials.js';
import { decideRegenerateApiKey } from './keys.decide.js';
import { SecurityRecords } from './security/security-records.js';
import type { UserEvent } from '../../events/users.js';

/** A decider about accounts. */
type AccountRule = (state: UserDirectory, actor: Actor) => readonly UserEvent[];

/** Who asks for a decision about accounts, and from where. */
type Requester = Pick<Caller, 'userId' | 'client' | 'address'>;

/** A key that replaced all others of an account. */
interface RenewedKey {
  readonly userId: number;
  readonly apiKey: string;
}

/** Decisions that revoke all keys of accounts, and issue and record new ones. */
@Injectable()
export class KeyRenewals {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
    private readonly records: SecurityRecords,
  ) {}

  /**
   * Revokes all keys of an account and issues a new one, which it returns.
   *
   * @throws ApplicationError those of {@link decideRegenerateApiKey}
   */
  async regenerate(caller: Requester, userId: number): Promise<string> {
    const renewed = await this.decisions.decideThen(caller, foldedUsers, {
      decide: (state, actor) => decideRegenerateApiKey(state, { userId }, actor),
      then: () => this.renew(userId, caller),
    });
    await this.record([renewed], caller);
    return renewed.apiKey;
  }

  /**
   * Decides about accounts. Keys that are replaced, and keys left from before a reactivation, are revoked before the
   * events are appended; new keys of bots are issued right after; keys of deactivated accounts are revoked last. If
   * this is interrupted, a bot may have no key, which its owner can renew; a key that somebody may no longer know never
   * stays valid.
   *
   * @returns the appended events, in order; empty when nothing had to change
   */
  async decide(caller: Requester, rule: AccountRule): Promise<readonly RecordedEvent<UserEvent>[]> {
    // Decided twice, because the keys to revoke before the append must be known before it.
    const planned = rule(await this.decisions.load(foldedUsers), this.decisions.actor(caller));
    await this.credentials.revokeKeys(idsIn(planned, ['ApiKeyRegenerated', 'UserReactivated']));
    const renewed: RenewedKey[] = [];
    const issuing = {
      ...foldedUsers,
      afterAppend: async (appended: readonly UserEvent[]): Promise<void> => {
        for (const id of idsIn(appended, ['ApiKeyRegenerated'])) renewed.push(await this.renew(id, caller));
      },
    };
    const { events } = await this.decisions.decide(caller, issuing, rule);
    await this.credentials.revokeKeys(idsIn(events, ['UserDeactivated']));
    await this.record(renewed, caller);
    return events;
  }

  /** The new key of a person is that of the program that asked for it; one of a bot is for its owner to read. */
  private async renew(userId: number, { client }: Requester): Promise<RenewedKey> {
    const account = (await this.decisions.load(foldedUsers)).users.get(userId);
    if (account === undefined) throw new Error(`User ${userId} has just been there`);
    return { userId, apiKey: await this.credentials.renewKey(account, account.bot === null ? client : null) };
  }

  private async record(renewed: readonly RenewedKey[], caller: Requester): Promise<void> {
    for (const key of renewed)
      await this.records.keyIssued({ ...key, reason: 'regenerated' }, originOfCaller(caller), caller.userId);
  }
}

function idsIn(events: readonly UserEvent[], types: readonly UserEvent['type'][]): readonly number[] {
  return events.filter(({ type }) => types.includes(type)).map(({ data }) => data.userId);
}
