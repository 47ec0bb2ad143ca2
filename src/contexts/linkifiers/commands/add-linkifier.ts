import { budgets } from '../../../kernel/budgets.js';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { failure } from '../../../kernel/errors.js';
import type { LinkifierEvent } from '../../../events/linkifiers.js';
import { LinkifierChanges } from '../linkifier-changes.js';
import {
  assertLinkifierDefinition,
  assertPatternFree,
  type LinkifierDefinition,
} from '../linkifier-definition.js';
import type { Linkifiers } from '../../../access/records/linkifiers.js';

/** Adds a rule by which texts become links (specification, POST /realm/filters). Answers its id. */
export class AddLinkifier extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly definition: LinkifierDefinition,
  ) {
    super();
  }
}

/** @throws ApplicationError `invalidLinkifier`, `tooManyLinkifiers` */
export function decideAddLinkifier(
  state: Linkifiers,
  definition: LinkifierDefinition,
): readonly LinkifierEvent[] {
  assertLinkifierDefinition(definition);
  assertPatternFree(state, definition.pattern, null);
  if (state.linkifiers.length >= budgets.linkifiers.max) throw failure('tooManyLinkifiers');
  return [{ type: 'LinkifierAdded', data: { linkifierId: state.added + 1, ...definition } }];
}

@CommandHandler(AddLinkifier)
export class AddLinkifierHandler implements ICommandHandler<AddLinkifier> {
  constructor(private readonly changes: LinkifierChanges) {}

  async execute({ caller, definition }: AddLinkifier): Promise<number> {
    const { added } = await this.changes.decide(caller, (state) => decideAddLinkifier(state, definition));
    return added;
  }
}
