import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { handle } from '../../kernel/handle.js';
import { Accounts } from '../users/accounts.js';
import type { ActorAt } from '../users/decisions.js';
import type { ProfileFieldEvent } from '../../events/profile-fields.js';
import {
  noProfileFields,
  profileFieldsFold,
  profileFieldsStream,
  type ProfileFields,
} from '../../access/records/profile-fields.js';

/** Decides about the fields of the profiles, on the stream that guards them. */
@Injectable()
export class ProfileFieldChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly accounts: Accounts,
  ) {}

  /** Appends what a rule makes of the fields. Answers what they then are. */
  async decide(
    caller: Caller,
    decide: (fields: ProfileFields, by: ActorAt) => readonly ProfileFieldEvent[],
  ): Promise<ProfileFields> {
    const by = { actor: this.accounts.actor(caller), moment: this.accounts.moment() };
    let before = noProfileFields;
    const appended = await handle(this.streams, {
      stream: profileFieldsStream,
      fold: profileFieldsFold,
      decide: (fields) => {
        before = fields;
        return decide(fields, by);
      },
      metadata: requestMetadata(caller, by.moment.now),
    });
    return (appended?.events ?? []).reduce(profileFieldsFold.evolve, before);
  }
}
