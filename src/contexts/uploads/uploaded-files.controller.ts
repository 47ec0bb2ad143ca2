import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiParam, ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller, Public } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { replyWithFile } from '../../http/file-reply.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { TemporaryLinks, UploadedFiles } from './uploaded-files.js';
import { safeFileName } from './upload-path.js';
import { ApiUploadPath, UploadPath, UPLOAD_SEGMENTS } from './upload-path.decorator.js';
import { Reply, ReplyFile } from '../../http/replies/reply.decorator.js';
import { temporaryLinkReply } from './uploads.replies.js';

/** The content of uploads, for people who may see them, at paths outside of the API. */
@ApiTags('uploads')
@Controller()
export class UploadedFilesController {
  constructor(
    private readonly files: UploadedFiles,
    private readonly links: TemporaryLinks,
  ) {}

  /** Returns a link that opens an upload for a minute without credentials. */
  @ApiUploadPath()
  @Reply(temporaryLinkReply)
  @Get(`api/v1/user_uploads/${UPLOAD_SEGMENTS}`)
  async link(@CurrentCaller() caller: Caller, @UploadPath() path: string): Promise<SuccessFields> {
    const { storageName, name } = await this.files.find(caller, path);
    return { url: this.links.make(storageName, safeFileName(name)) };
  }

  /** Serves an upload. */
  @ApiUploadPath()
  @ReplyFile('*/*')
  @Get(`user_uploads/${UPLOAD_SEGMENTS}`)
  async serve(
    @CurrentCaller() caller: Caller,
    @UploadPath() path: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const upload = await this.files.find(caller, path);
    await replyWithFile(reply, this.files.served(upload, { isDownload: false }));
  }

  /** Serves an upload as a download. */
  @ApiUploadPath()
  @ReplyFile('*/*')
  @Get(`user_uploads/download/${UPLOAD_SEGMENTS}`)
  async download(
    @CurrentCaller() caller: Caller,
    @UploadPath() path: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const upload = await this.files.find(caller, path);
    await replyWithFile(reply, this.files.served(upload, { isDownload: true }));
  }

  /** Serves an upload by a temporary link. */
  @Public()
  @ApiParam({ name: 'filename', type: String })
  @ReplyFile('*/*')
  @Get('user_uploads/temporary/:token/:filename')
  async serveTemporarily(@PathName('token') token: string, @Res() reply: FastifyReply): Promise<void> {
    const upload = await this.files.named(this.links.open(token));
    await replyWithFile(reply, this.files.served(upload, { isDownload: false }));
  }
}
