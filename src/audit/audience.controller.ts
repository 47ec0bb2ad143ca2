import { Controller, Get } from '@nestjs/common';
import { CurrentCaller } from '../http/authentication/authentication.decorators.js';
import type { Caller } from '../http/caller.js';
import { ApiTags } from '../http/documentation.decorators.js';
import type { Answer } from '../http/envelope.js';
import { OnlyParameters } from '../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../http/parameters/path-parameters.js';
import { Readers } from '../reader-threads/readers.js';
import { AuditAccess } from './commands/audit-access.js';
import { AudienceParameters } from './audit.parameters.js';
import { GetAudience } from './queries/get-audience.js';
import { endOfLog, momentIn, wholeLog } from './log/requested-selection.js';
import { Reply } from '../http/replies/reply.decorator.js';
import { audienceReply } from './audit.replies.js';

/** Who could see messages and who has read them, for auditors. Every access is recorded as an event. */
@ApiTags('audit')
@Controller('audit/messages')
export class AudienceController {
  constructor(
    private readonly access: AuditAccess,
    private readonly readers: Readers,
  ) {}

  /**
   * Lists, in pages, the accounts that could see a message at a moment, by the permissions of that moment: because
   * they had received it, or because they could read the history that it is part of; and which of them had read it.
   * `count` is the number of all these accounts. `after` is the id after which the next page begins. For auditors.
   */
  @Reply(audienceReply)
  @Get(':message_id/who-could-see')
  whoCouldSee(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @OnlyParameters(AudienceParameters) parameters: AudienceParameters,
  ): Promise<Answer> {
    return this.audience(caller, messageId, { ...parameters, readersOnly: false });
  }

  /**
   * Lists, in pages, the accounts that had read a message at a moment, including those that do not send read
   * receipts. The sender is not listed. The pages have the form of those of `who-could-see`. For auditors.
   */
  @Reply(audienceReply)
  @Get(':message_id/readers')
  whoHasRead(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('message_id') messageId: number,
    @OnlyParameters(AudienceParameters) parameters: AudienceParameters,
  ): Promise<Answer> {
    return this.audience(caller, messageId, { ...parameters, readersOnly: true });
  }

  private async audience(
    caller: Caller,
    messageId: number,
    { at, after = 0, limit = 1_000, readersOnly }: AudienceParameters & { readonly readersOnly: boolean },
  ): Promise<Answer> {
    this.access.auditor(caller);
    const moment = momentIn('at', at);
    const selection = { ...wholeLog, messageId, to: moment };
    await this.access.record(caller, {
      view: readersOnly ? 'readers' : 'audience',
      selection,
      ...(after > 0 && { asked: { after } }),
    });
    const page = { messageId, at: moment ?? endOfLog, readersOnly, after, limit };
    return this.readers.answer(new GetAudience(caller, page));
  }
}
