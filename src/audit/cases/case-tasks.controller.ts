import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { failure } from '../../kernel/errors.js';
import { asksOnlyForHeaders, fileOnDisk, replyWithFile } from '../../http/file-reply.js';
import { NoParameters, OnlyParameters, Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier, PathName } from '../../http/parameters/path-parameters.js';
import { SeparateRateLimit } from '../../http/limits/rate-limit.guard.js';
import { Reply, ReplyFile } from '../../http/replies/reply.decorator.js';
import { toSeconds } from '../../kernel/clock.js';
import { AuditAccess } from '../commands/audit-access.js';
import { wholeLog } from '../log/requested-selection.js';
import { Cases } from './cases.js';
import { BeginCaseTaskParameters, taskInput } from './cases.parameters.js';
import { caseTaskReply, caseTasksReply } from './cases.replies.js';
import { accessOf } from './tasks/case-task.js';
import { CaseTasks, type CaseTask } from './tasks/case-tasks.js';

/** A task as replies show it; times are in seconds since the UNIX epoch. */
function caseTaskObject({
  id,
  caseId,
  kind,
  state,
  progress,
  began,
  ended,
  result,
  error,
  expires,
}: CaseTask): object {
  return {
    id,
    case_id: caseId,
    kind,
    state,
    progress: Math.floor(progress * 1000) / 1000,
    began: toSeconds(began),
    ended: ended === null ? null : toSeconds(ended),
    result,
    error: error?.message ?? null,
    expires: expires === null ? null : toSeconds(expires),
  };
}

/** Long tasks about cases, which run in the background. Each is recorded as an event before it begins. */
@ApiTags('audit')
@Controller('audit')
export class CaseTasksController {
  constructor(
    private readonly cases: Cases,
    private readonly tasks: CaseTasks,
    private readonly access: AuditAccess,
  ) {}

  /** Lists the tasks of the caller for a case, newest first. A restart of the server forgets them. For auditors. */
  @Reply(caseTasksReply)
  @SeparateRateLimit('status')
  @Get('cases/:case_id/tasks')
  async list(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    await this.cases.get({ caller }, caseId);
    return { tasks: this.tasks.all(caller.userId, caseId).map(caseTaskObject) };
  }

  /**
   * Starts a task that reads all messages that a case covers, including deleted messages and earlier versions, as far
   * as their keys still exist: to count them, to search them, or to make a bundle of them. One task of a person at a
   * time, for at most one hour. For auditors.
   */
  @Reply(caseTaskReply)
  @Post('cases/:case_id/tasks')
  async begin(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('case_id') caseId: number,
    @Parameters(BeginCaseTaskParameters) parameters: BeginCaseTaskParameters,
  ): Promise<SuccessFields> {
    const input = taskInput(await this.cases.get({ caller }, caseId), parameters);
    const note = (): Promise<void> =>
      this.access.record(caller, { ...accessOf(caseId, input), selection: wholeLog });
    return { task: caseTaskObject(await this.tasks.begin(caller.userId, caseId, { input, note })) };
  }

  /** Tells the progress of a task and its result. For the auditor who started it. */
  @Reply(caseTaskReply)
  @SeparateRateLimit('status')
  @Get('case-tasks/:task')
  async read(
    @CurrentCaller() caller: Caller,
    @PathName('task') id: string,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    this.access.auditor(caller);
    return { task: caseTaskObject(this.tasks.get(caller.userId, id)) };
  }

  /** Stops a task and deletes its result. For the auditor who started it. */
  @Reply()
  @Delete('case-tasks/:task')
  async drop(@CurrentCaller() caller: Caller, @PathName('task') id: string): Promise<SuccessFields> {
    this.access.auditor(caller);
    await this.tasks.drop(caller.userId, id);
    return {};
  }

  /**
   * Serves the bundle that an `export` task made, a ZIP file, until it expires. For the auditor who started the task.
   */
  @ReplyFile('application/zip')
  @Get('case-tasks/:task/bundle')
  async download(
    @CurrentCaller() caller: Caller,
    @PathName('task') id: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    this.access.auditor(caller);
    const { caseId } = this.tasks.get(caller.userId, id);
    const file = await this.tasks.bundle(caller.userId, id);
    const content = await fileOnDisk(file, () => failure('noSuchCaseTask'));
    const view = { view: 'case-download', selection: wholeLog, asked: { caseId } } as const;
    if (!asksOnlyForHeaders(reply)) await this.access.record(caller, view);
    await replyWithFile(reply, {
      fileName: `case-${caseId}.zip`,
      contentType: 'application/zip',
      isDownload: true,
      cacheControl: null,
      ...content,
    });
  }
}
