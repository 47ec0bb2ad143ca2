import { Injectable } from '@nestjs/common';
import { requestMetadata } from '../../stores/event-store/command-metadata.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { handle } from '../../kernel/handle.js';
import { Accounts } from '../users/accounts.js';
import { isAdministrator } from '../../access/records/roles.js';
import type { LinkifierEvent } from '../../events/linkifiers.js';
import {
  linkifiersFold,
  linkifiersStream,
  noLinkifiers,
  type Linkifiers,
} from '../../access/records/linkifiers.js';

/** Decides about linkifiers: administrators do. */
@Injectable()
export class LinkifierChanges {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Appends what a rule makes of the linkifiers. Answers what they then are.
   *
   * @throws ApplicationError `administratorRequired`, and whatever the rule refuses with
   */
  async decide(
    caller: Caller,
    decide: (linkifiers: Linkifiers) => readonly LinkifierEvent[],
  ): Promise<Linkifiers> {
    const actor = this.accounts.actor(caller);
    if (!isAdministrator(actor)) throw failure('administratorRequired');
    let before = noLinkifiers;
    const appended = await handle(this.streams, {
      stream: linkifiersStream,
      fold: linkifiersFold,
      decide: (linkifiers) => decide((before = linkifiers)),
      metadata: requestMetadata(caller, this.accounts.moment().now),
    });
    return (appended?.events ?? []).reduce(linkifiersFold.evolve, before);
  }
}
