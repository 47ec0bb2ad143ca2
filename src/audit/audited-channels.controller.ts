import { Controller, Get } from '@nestjs/common';
import { DirectoryFollower } from '../access/directory-follower.js';
import type { Channel } from '../access/records/channel.js';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import type { SuccessFields } from '../http/envelope.js';
import { NoParameters, OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { auditedChannelsReply } from './audit.replies.js';
import { AuditAccess } from './commands/audit-access.js';

/** Which channels an auditor can ask about. */
@ApiTags('audit')
@Controller('audit/channels')
export class AuditedChannelsController {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly access: AuditAccess,
  ) {}

  /**
   * Lists all channels by name, also archived ones and private ones that the caller is not in. For auditors. It tells names only, so it is
   * not recorded as a look into the log.
   */
  @Reply(auditedChannelsReply)
  @Get()
  list(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): SuccessFields {
    this.access.auditor(caller);
    const channels = [...this.follower.current().channels()].map(auditedChannel);
    return { channels: channels.sort((one, other) => one.name.localeCompare(other.name, 'en')) };
  }
}

function auditedChannel({ id, name, privacy, isArchived }: Channel) {
  return { channel_id: id, name, is_private: privacy.inviteOnly, is_archived: isArchived };
}
