import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { foldedLinkifiers } from '../../../access/records/linkifiers.js';
import type { LinkifierDefinition } from '../linkifier-definition.js';
import {
  decideAddLinkifier,
  LinkifierChange,
  decideChangeLinkifier,
  decideRemoveLinkifier,
  decideReorderLinkifiers,
} from '../linkifiers.decide.js';

/** Adds a linkifier (`POST /realm/filters`). Returns its id. */
export class AddLinkifier extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly definition: LinkifierDefinition,
  ) {
    super();
  }
}

@CommandHandler(AddLinkifier)
export class AddLinkifierHandler implements ICommandHandler<AddLinkifier> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, definition }: AddLinkifier): Promise<number> {
    const { state } = await this.decisions.decide(caller, foldedLinkifiers, (so, actor) =>
      decideAddLinkifier(so, definition, actor),
    );
    return state.added;
  }
}

/** Replaces a linkifier (`PATCH /realm/filters/{filter_id}`). */
export class ChangeLinkifier extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierId: number,
    readonly change: LinkifierChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeLinkifier)
export class ChangeLinkifierHandler implements ICommandHandler<ChangeLinkifier> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, linkifierId, change }: ChangeLinkifier): Promise<void> {
    await this.decisions.decide(caller, foldedLinkifiers, (state, actor) =>
      decideChangeLinkifier(state, { linkifierId, change }, actor),
    );
  }
}

/** Removes a linkifier (`DELETE /realm/filters/{filter_id}`). */
export class RemoveLinkifier extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierId: number,
  ) {
    super();
  }
}

@CommandHandler(RemoveLinkifier)
export class RemoveLinkifierHandler implements ICommandHandler<RemoveLinkifier> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, linkifierId }: RemoveLinkifier): Promise<void> {
    await this.decisions.decide(caller, foldedLinkifiers, (state, actor) =>
      decideRemoveLinkifier(state, linkifierId, actor),
    );
  }
}

/** Reorders the linkifiers (`PATCH /realm/linkifiers`). */
export class ReorderLinkifiers extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly linkifierIds: readonly number[],
  ) {
    super();
  }
}

@CommandHandler(ReorderLinkifiers)
export class ReorderLinkifiersHandler implements ICommandHandler<ReorderLinkifiers> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, linkifierIds }: ReorderLinkifiers): Promise<void> {
    await this.decisions.decide(caller, foldedLinkifiers, (state, actor) =>
      decideReorderLinkifiers(state, linkifierIds, actor),
    );
  }
}
