import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { LinkifierEvent } from '../../../events/linkifiers.js';
import { LinkifierChanges } from '../linkifier-changes.js';
import { usableLinkifiers, type Linkifiers } from '../../../access/records/linkifiers.js';

/** Puts the linkifiers in another order (facts, section 2, PATCH /realm/linkifiers). */
export class ReorderLinkifiers extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierIds: readonly number[],
  ) {
    super();
  }
}

/** @throws ApplicationError `invalidLinkifierOrder` where not every linkifier is named once */
export function decideReorderLinkifiers(
  state: Linkifiers,
  linkifierIds: readonly number[],
): readonly LinkifierEvent[] {
  const linkifiers = usableLinkifiers(state);
  const named = new Set(linkifierIds);
  const isWhole =
    linkifierIds.length === linkifiers.length &&
    linkifiers.every(({ linkifierId }) => named.has(linkifierId));
  if (!isWhole) throw failure('invalidLinkifierOrder');
  if (linkifiers.every(({ linkifierId }, place) => linkifierIds[place] === linkifierId)) return [];
  const unusable = state.linkifiers.filter(({ linkifierId }) => !named.has(linkifierId));
  const order = [...linkifierIds, ...unusable.map(({ linkifierId }) => linkifierId)];
  return [{ type: 'LinkifiersReordered', data: { linkifierIds: order } }];
}

@CommandHandler(ReorderLinkifiers)
export class ReorderLinkifiersHandler implements ICommandHandler<ReorderLinkifiers> {
  constructor(private readonly changes: LinkifierChanges) {}

  async execute({ caller, linkifierIds }: ReorderLinkifiers): Promise<void> {
    await this.changes.decide(caller, (state) => decideReorderLinkifiers(state, linkifierIds));
  }
}
