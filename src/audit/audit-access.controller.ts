import { Controller, Get } from '@nestjs/common';
import { DirectoryFollower } from '../access/directory-follower.js';
import { mayAudit } from '../access/permissions.js';
import { isOwner } from '../access/records/roles.js';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import type { SuccessFields } from '../http/envelope.js';
import { NoParameters, OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { SystemClock } from '../runtime/system-clock.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { auditAccessReply } from './audit.replies.js';

/** Which parts of the console the caller may use. */
@ApiTags('audit')
@Controller('audit/access')
export class AuditAccessController {
  constructor(
    private readonly follower: DirectoryFollower,
    private readonly clock: SystemClock,
  ) {}

  /**
   * Tells what the caller may do besides messaging: whether they may audit the log, and whether they may operate the
   * server.
   */
  @Reply(auditAccessReply)
  @Get()
  read(
    @CurrentCaller() { userId }: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): SuccessFields {
    const directory = this.follower.current();
    const user = directory.user(userId);
    const moment = { directory, now: this.clock.now() };
    return {
      user_id: userId,
      full_name: user?.fullName ?? '',
      organization: directory.organizationName,
      may_audit: user !== null && mayAudit(moment, user),
      may_operate: user !== null && isOwner(user),
    };
  }
}
