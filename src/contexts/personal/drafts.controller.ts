import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { ChangeDraft, DeleteDraft, SaveDrafts } from './commands/drafts.js';
import { ChangeDraftParameters, draftRequestOf, SaveDraftsParameters } from './personal.parameters.js';
import { GetDrafts } from './queries/personal.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { draftsReply, savedDraftsReply } from './personal.replies.js';

/** Messages that are not sent yet. */
@ApiTags('drafts')
@Controller('drafts')
export class DraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Lists the caller's drafts, oldest first. */
  @Reply(draftsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    const drafts = await this.queries.execute(new GetDrafts(caller, true));
    return { count: drafts.length, drafts };
  }

  /** Saves drafts. */
  @Reply(savedDraftsReply)
  @Post()
  async save(
    @CurrentCaller() caller: Caller,
    @Parameters(SaveDraftsParameters) { drafts = [] }: SaveDraftsParameters,
  ): Promise<SuccessFields> {
    return { ids: await this.commands.execute(new SaveDrafts(caller, drafts.map(draftRequestOf))) };
  }

  /** Replaces a draft. */
  @Reply()
  @Patch(':draft_id')
  async change(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('draft_id') draftId: number,
    @Parameters(ChangeDraftParameters) { draft }: ChangeDraftParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangeDraft(caller, draftId, draftRequestOf(draft)));
  }

  /** Deletes a draft. */
  @Reply()
  @Delete(':draft_id')
  async delete(@CurrentCaller() caller: Caller, @PathIdentifier('draft_id') draftId: number): Promise<void> {
    await this.commands.execute(new DeleteDraft(caller, draftId));
  }
}
