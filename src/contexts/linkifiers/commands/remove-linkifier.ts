import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import type { LinkifierEvent } from '../../../events/linkifiers.js';
import { LinkifierChanges } from '../linkifier-changes.js';
import { assertLinkifier, type Linkifiers } from '../../../access/records/linkifiers.js';

/** Removes a rule by which texts become links (facts, section 2, DELETE /realm/filters/{id}). */
export class RemoveLinkifier extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierId: number,
  ) {
    super();
  }
}

/** @throws ApplicationError `noSuchLinkifier` */
export function decideRemoveLinkifier(state: Linkifiers, linkifierId: number): readonly LinkifierEvent[] {
  assertLinkifier(state, linkifierId);
  return [{ type: 'LinkifierRemoved', data: { linkifierId } }];
}

@CommandHandler(RemoveLinkifier)
export class RemoveLinkifierHandler implements ICommandHandler<RemoveLinkifier> {
  constructor(private readonly changes: LinkifierChanges) {}

  async execute({ caller, linkifierId }: RemoveLinkifier): Promise<void> {
    await this.changes.decide(caller, (state) => decideRemoveLinkifier(state, linkifierId));
  }
}
