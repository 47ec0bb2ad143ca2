import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { decideAddCodePlayground, decideRemoveCodePlayground } from '../code-playgrounds.decide.js';
import type { CodePlaygroundDefinition } from '../../../access/records/code-playgrounds.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';

/** Adds a place where clients can open the code blocks of a language. Returns its id. */
export class AddCodePlayground extends Command<number> {
  constructor(
    readonly caller: Caller,
    readonly definition: CodePlaygroundDefinition,
  ) {
    super();
  }
}

@CommandHandler(AddCodePlayground)
export class AddCodePlaygroundHandler implements ICommandHandler<AddCodePlayground> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, definition }: AddCodePlayground): Promise<number> {
    const {
      events: [added],
    } = await this.decisions.decide(caller, foldedOrganization, (organization, { user }, nextRevision) =>
      decideAddCodePlayground(existing(organization), definition, { user, nextRevision }),
    );
    if (added?.type !== 'CodePlaygroundAdded') throw new Error('Adding a code playground always appends');
    return added.data.playgroundId;
  }
}

/** Removes a place where clients can open code blocks. */
export class RemoveCodePlayground extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly playgroundId: number,
  ) {
    super();
  }
}

@CommandHandler(RemoveCodePlayground)
export class RemoveCodePlaygroundHandler implements ICommandHandler<RemoveCodePlayground> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, playgroundId }: RemoveCodePlayground): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      decideRemoveCodePlayground(existing(organization), playgroundId, actor),
    );
  }
}
