import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import { decideAddCodePlayground, decideRemoveCodePlayground } from '../code-playground-changes.js';
import type { CodePlaygroundDefinition } from '../../../access/records/code-playgrounds.js';
import { OrganizationStream } from '../organization-stream.js';

/** Names a place where clients may open the code blocks of a language. Answers its id. */
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
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, definition }: AddCodePlayground): Promise<number> {
    const [added] = await this.organization.decide(caller, (organization, { actor }, nextRevision) =>
      decideAddCodePlayground(organization, definition, { actor, nextRevision }),
    );
    if (added?.type !== 'CodePlaygroundAdded') throw new Error('Adding a code playground always appends');
    return added.data.playgroundId;
  }
}

/** Removes a place where clients may open code blocks. */
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
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, playgroundId }: RemoveCodePlayground): Promise<void> {
    await this.organization.decide(caller, (organization, by) =>
      decideRemoveCodePlayground(organization, playgroundId, by),
    );
  }
}
