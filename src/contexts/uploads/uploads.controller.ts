import { Controller, Delete, Get, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { ApiConsumes, ApiFile, ApiTags } from '../../http/documentation.decorators.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { Answer, SuccessFields } from '../../http/envelope.js';
import { PathIdentifier } from '../../http/parameters/path-parameters.js';
import { receiveFile } from '../../http/server/received-file.js';
import { Readers } from '../../reader-threads/readers.js';
import { DeleteUpload, UploadFile } from './commands/uploads.js';
import { IncomingFiles, newStorageName } from './incoming-files.js';
import { contentTypeOf, uploadNameOf, uploadUrl } from './upload-path.js';
import { GetAttachments } from './queries/uploads.js';
import { MAX_UPLOAD_MEBIBYTES } from './uploads.state.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { attachmentsReply, uploadReply } from './uploads.replies.js';

/** Files that people upload for use in messages. */
@ApiTags('uploads')
@Controller()
export class UploadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly readers: Readers,
    private readonly files: EncryptedFiles,
    private readonly incoming: IncomingFiles,
  ) {}

  /** Uploads a file. */
  @RouteConfig({ acceptsFiles: true })
  @ApiConsumes('multipart/form-data')
  @ApiFile(MAX_UPLOAD_MEBIBYTES)
  @Reply(uploadReply)
  @Post('user_uploads')
  async upload(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<SuccessFields> {
    const storageName = newStorageName();
    const { fileName, contentType, content } = await this.incoming.receive(caller.userId, () =>
      receiveFile(request, {
        maxMebibytes: MAX_UPLOAD_MEBIBYTES,
        keep: (stream) => this.files.put({ name: storageName, ownerId: caller.userId }, stream),
        discard: (stored) => this.files.delete(stored),
      }),
    );
    const name = uploadNameOf(fileName);
    const file = { name, contentType: contentTypeOf(contentType, name), stored: content };
    const uploaded = await this.commands.execute(new UploadFile(caller, file));
    const url = uploadUrl(uploaded);
    return { url, uri: url, filename: name };
  }

  /** Lists the caller's uploads, with the messages that refer to them. */
  @Reply(attachmentsReply)
  @Get('attachments')
  list(@CurrentCaller() caller: Caller): Promise<Answer> {
    return this.readers.answer(new GetAttachments(caller));
  }

  /** Deletes an upload of the caller's own. */
  @Reply()
  @Delete('attachments/:attachment_id')
  async delete(
    @CurrentCaller() caller: Caller,
    @PathIdentifier('attachment_id') uploadId: number,
  ): Promise<void> {
    await this.commands.execute(new DeleteUpload(caller, uploadId));
  }
}
