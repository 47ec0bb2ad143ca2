import { foldedUsers, type UserDirectory } from './users.state.js';
import type { Actor } from '../../access/actor.js';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { Decisions } from '../../http/decisions.js';
import { Credentials } from './credentials.js';
import type { UserEvent } from '../../events/users.js';

/** A decider about accounts. */
type AccountRule = (state: UserDirectory, actor: Actor) => readonly UserEvent[];

/** Decisions that revoke keys, and issue new ones to bots. */
@Injectable()
export class KeyRenewals {
  constructor(
    private readonly decisions: Decisions,
    private readonly credentials: Credentials,
  ) {}

  /**
   * Decides about accounts. Keys that are replaced, and keys left from before a reactivation, are revoked before the
   * events are appended; new keys of bots are issued right after; keys of deactivated accounts are revoked last. If
   * this is interrupted, a bot may have no key, which its owner can renew; a key that somebody may no longer know never
   * stays valid.
   *
   * @returns the appended events, in order; empty when nothing had to change
   */
  async decide(
    caller: Pick<Caller, 'userId' | 'client'>,
    rule: AccountRule,
  ): Promise<readonly RecordedEvent<UserEvent>[]> {
    const planned = rule(await this.decisions.load(foldedUsers), this.decisions.actor(caller));
    await this.credentials.revokeKeys(idsIn(planned, ['ApiKeyRegenerated', 'UserReactivated']));
    const issuing = {
      ...foldedUsers,
      afterAppend: (appended: readonly UserEvent[]): Promise<void> => this.issue(appended),
    };
    const { events } = await this.decisions.decide(caller, issuing, rule);
    await this.credentials.revokeKeys(idsIn(events, ['UserDeactivated']));
    return events;
  }

  private async issue(events: readonly UserEvent[]): Promise<void> {
    const { users } = await this.decisions.load(foldedUsers);
    for (const id of idsIn(events, ['ApiKeyRegenerated'])) {
      const account = users.get(id);
      if (account === undefined) throw new Error(`User ${id} has just been there`);
      await this.credentials.renewKey(account, null);
    }
  }
}

function idsIn(events: readonly UserEvent[], types: readonly UserEvent['type'][]): readonly number[] {
  return events.filter(({ type }) => types.includes(type)).map(({ data }) => data.userId);
}
