import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsIn } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { exportTypes, type ExportType } from '../../events/exports.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { asksOnlyForHeaders, replyWithFile } from '../../http/file-reply.js';
import { TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { Reply, ReplyFile } from '../../http/replies/reply.decorator.js';
import { DeleteExport, DownloadExport, RequestExport } from './commands/exports.js';
import { GetExportConsents, GetExports } from './queries/exports.js';
import { ExportFiles } from './export-files.js';
import { exportConsentsReply, exportsReply, requestedExportReply } from './exports.replies.js';

/** Parameters of POST /export/realm. */
class RequestExportParameters {
  @TextParameter({
    example: 'public',
    values: exportTypes,
    description:
      'What the export contains: what every member may read; in addition, what people may read who set `allow_private_data_export`; or the whole log, encrypted, for owners if `owner_full_content_access` allows it.',
  })
  @IsIn(exportTypes)
  export_type?: ExportType;
}

/** The organization as a file, for its administrators. */
@ApiTags('organization')
@Controller('export/realm')
export class ExportsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly files: ExportFiles,
  ) {}

  /**
   * Requests an export, which is made in the background: one at a time, and at most five in seven days. A client
   * event `realm_export` tells administrators of each step. A message tells the requester that the export can be
   * downloaded.
   */
  @Reply(requestedExportReply)
  @Post()
  async request(
    @CurrentCaller() caller: Caller,
    @Parameters(RequestExportParameters) { export_type: type = 'public' }: RequestExportParameters,
  ): Promise<SuccessFields> {
    return { id: await this.commands.execute(new RequestExport(caller, type)) };
  }

  /** Lists the newest 100 exports, with the addresses at which they can be downloaded. */
  @Reply(exportsReply)
  @Get()
  async list(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { exports: await this.queries.execute(new GetExports(caller)) };
  }

  /** Lists who allows administrators to export what only some people may read. */
  @Reply(exportConsentsReply)
  @Get('consents')
  async consents(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    return { export_consents: await this.queries.execute(new GetExportConsents(caller)) };
  }

  /** Deletes the file of an export. */
  @Reply()
  @Delete(':export_id')
  async delete(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('export_id') exportId: number,
  ): Promise<void> {
    await this.commands.execute(new DeleteExport(caller, exportId));
  }

  /**
   * Serves the file of an export, which is kept for seven days: a ZIP file, or JSON lines for an export of the whole
   * log.
   */
  @ReplyFile('application/zip', 'application/x-ndjson')
  @Get(':export_id/file')
  async download(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('export_id') exportId: number,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { type, made } = await this.commands.execute(
      new DownloadExport(caller, exportId, !asksOnlyForHeaders(reply)),
    );
    const isLog = type === 'full_without_consent';
    await replyWithFile(reply, {
      fileName: `export-${exportId}.${isLog ? 'ndjson' : 'zip'}`,
      contentType: isLog ? 'application/x-ndjson' : 'application/zip',
      size: made.file.size,
      isDownload: true,
      cacheControl: null,
      open: (range) => this.files.open(made.file, range),
      assertExists: () => this.files.assertExists(made.file),
    });
  }
}
