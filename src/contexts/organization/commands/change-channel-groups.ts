import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Caller } from '../../../http/caller.js';
import {
  decideChangeChannelGroup,
  decideCreateChannelGroup,
  decideRemoveChannelGroup,
  type ChannelGroupChanges,
} from '../default-channel-groups.js';
import { OrganizationStream } from '../organization-stream.js';

/** Puts channels together that new people may choose. */
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
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, group }: CreateChannelGroup): Promise<void> {
    await this.organization.decide(caller, (organization, by, nextRevision) =>
      decideCreateChannelGroup(organization, group, { ...by, nextRevision }),
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
  constructor(private readonly organization: OrganizationStream) {}

  async execute({ caller, groupId, changes }: ChangeChannelGroup): Promise<void> {
    await this.organization.decide(caller, (organization, by) =>
      changes === null
        ? decideRemoveChannelGroup(organization, groupId, by)
        : decideChangeChannelGroup(organization, groupId, { changes, by }),
    );
  }
}
