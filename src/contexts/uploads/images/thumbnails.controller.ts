import { Controller, Get, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentCaller } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { ApiParam, ApiTags } from '../../../http/documentation.decorators.js';
import type { SuccessFields } from '../../../http/envelope.js';
import { replyWithBytes } from '../../../http/file-reply.js';
import { failure } from '../../../kernel/errors.js';
import {
  ApiUploadPath,
  ThumbnailPath,
  UploadPath,
  UPLOAD_SEGMENTS,
  type ThumbnailAddress,
} from '../upload-path.decorator.js';
import { UploadedFiles } from '../uploaded-files.js';
import { Thumbnails } from './thumbnails.js';
import { Reply, ReplyFile } from '../../../http/replies/reply.decorator.js';
import { thumbnailStatusReply } from '../uploads.replies.js';

/** Thumbnails of uploads, for people who may see the upload. */
@ApiTags('uploads')
@Controller()
export class ThumbnailsController {
  constructor(
    private readonly files: UploadedFiles,
    private readonly thumbnails: Thumbnails,
  ) {}

  /**
   * Serves a thumbnail of an uploaded image: in the requested format, or the nearest one that the image has.
   */
  @ApiUploadPath()
  @ApiParam({ name: 'format', type: String })
  @ReplyFile('image/webp')
  @Get(`user_uploads/thumbnail/${UPLOAD_SEGMENTS}/:format`)
  async serve(
    @CurrentCaller() caller: Caller,
    @ThumbnailPath() { path, format }: ThumbnailAddress,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const upload = await this.files.find(caller, path);
    const thumbnail = await this.thumbnails.find(upload, format, caller.userId);
    if (thumbnail === null) throw failure('noSuchFile');
    const { name, bytes } = thumbnail;
    const file = { contentType: 'image/webp', isDownload: false, cacheControl: 'private, max-age=3600' };
    await replyWithBytes(reply, { fileName: name, ...file }, bytes);
  }

  /** Returns whether messages show an upload by a thumbnail yet. */
  @ApiUploadPath()
  @Reply(thumbnailStatusReply)
  @Get(`api/v1/thumbnail/status/${UPLOAD_SEGMENTS}`)
  async status(@CurrentCaller() caller: Caller, @UploadPath() path: string): Promise<SuccessFields> {
    const { image } = await this.files.find(caller, path);
    return { has_thumbnail: image !== null };
  }
}
