import { Controller, Get } from '@nestjs/common';
import type { Directory } from '../access/directory.js';
import { DirectoryFollower } from '../access/directory-follower.js';
import type { Channel } from '../access/records/channel.js';
import type { User } from '../access/records/user.js';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import type { SuccessFields } from '../http/envelope.js';
import { OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { failure } from '../kernel/errors.js';
import { ListNamesParameters } from './audit.parameters.js';
import { auditedChannelsReply, auditedPeopleReply } from './audit.replies.js';
import { AuditAccess } from './commands/audit-access.js';
import { pageOfNames } from './page-of-names.js';

/** The people and channels that an auditor can ask about. */
@ApiTags('audit')
@Controller('audit')
export class AuditedNamesController {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly access: AuditAccess,
  ) {}

  /**
   * Lists accounts by name, in pages, also deactivated ones, bots and the server's own bots. `after` is the id to
   * request the next page with; null: there are no more. For auditors. It tells names only, so it is not recorded as a
   * look into the log.
   */
  @Reply(auditedPeopleReply)
  @Get('people')
  people(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ListNamesParameters) parameters: ListNamesParameters,
  ): SuccessFields {
    const directory = this.directoryFor(caller);
    const { found, after } = pageOfNames(parameters, {
      all: () => directory.users(),
      find: (id) => directory.user(id),
      nameOf: ({ fullName }) => fullName,
      unknown: () => failure('noSuchUser'),
    });
    return { people: found.map(auditedPerson), after };
  }

  /**
   * Lists channels by name, in pages, also archived ones and private ones that the caller is not in. `after` is the id
   * to request the next page with; null: there are no more. For auditors. It tells names only, so it is not recorded as
   * a look into the log.
   */
  @Reply(auditedChannelsReply)
  @Get('channels')
  channels(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(ListNamesParameters) parameters: ListNamesParameters,
  ): SuccessFields {
    const directory = this.directoryFor(caller);
    const { found, after } = pageOfNames(parameters, {
      all: () => directory.channels(),
      find: (id) => directory.channel(id),
      nameOf: ({ name }) => name,
      unknown: () => failure('invalidChannel'),
    });
    return { channels: found.map(auditedChannel), after };
  }

  /** @throws ApplicationError `insufficientPermission` */
  private directoryFor(caller: Caller): Directory {
    this.access.auditor(caller);
    return this.follower.current();
  }
}

function auditedPerson({ id, fullName, bot, isActive }: User) {
  return { user_id: id, full_name: fullName, is_bot: bot !== null, is_active: isActive };
}

function auditedChannel({ id, name, privacy, isArchived }: Channel) {
  return { channel_id: id, name, is_private: privacy.inviteOnly, is_archived: isArchived };
}
