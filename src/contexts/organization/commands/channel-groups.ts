import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import {
  decideChangeChannelGroup,
  decideCreateChannelGroup,
  decideRemoveChannelGroup,
  type ChannelGroupChanges,
} from '../channel-groups.decide.js';
import { existing, foldedOrganization } from '../../../access/records/organization.js';
import { Decisions } from '../../../http/decisions.js';

/** Creates a group of channels that new people may choose. */
export class CreateChannelGroup extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly group: { readonly name: string; readonly description: string; readonly add: readonly string[] },
  ) {
    super();
  }
}

@CommandHandler(CreateChannelGroup)
export class CreateChannelGroupHandler implements ICommandHandler<CreateChannelGroup> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, group }: CreateChannelGroup): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor, nextRevision) =>
      decideCreateChannelGroup(existing(organization), group, { ...actor, nextRevision }),
    );
  }
}

/** Changes such a group, or removes it (null). */
export class ChangeChannelGroup extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly groupId: number,
    readonly changes: ChannelGroupChanges | null,
  ) {
    super();
  }
}

@CommandHandler(ChangeChannelGroup)
export class ChangeChannelGroupHandler implements ICommandHandler<ChangeChannelGroup> {
  constructor(private readonly decisions: Decisions) {}

  async execute({ caller, groupId, changes }: ChangeChannelGroup): Promise<void> {
    await this.decisions.decide(caller, foldedOrganization, (organization, actor) =>
      changes === null
        ? decideRemoveChannelGroup(existing(organization), groupId, actor)
        : decideChangeChannelGroup(existing(organization), groupId, { changes, actor }),
    );
  }
}
