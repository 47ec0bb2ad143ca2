import { Controller, Delete, Head, Options, Patch, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CurrentCaller, Public } from '../../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../../http/caller.js';
import { Decisions } from '../../../http/decisions.js';
import { ApiTags } from '../../../http/documentation.decorators.js';
import { PathName } from '../../../http/parameters/path-parameters.js';
import { ReplyStatuses } from '../../../http/replies/reply.decorator.js';
import { resumableReply } from '../uploads.replies.js';
import { uploadUrl } from '../upload-path.js';
import {
  AbandonResumable,
  ExtendResumable,
  StartResumable,
  type ResumableProgress,
} from '../commands/resumable-uploads.js';
import {
  announcedFile,
  announcedOffset,
  assertProtocol,
  setProtocolVersion,
  describeProtocol,
} from './protocol.js';
import { ownResumable } from './resumable-uploads.decide.js';
import { foldedResumableUploads } from './resumable-uploads.state.js';

/** Path of resumable uploads. */
const PATH = '/api/v1/tus';

const told = { 204: 'What is understood, in headers' } as const;

/**
 * Resumable uploads by the protocol of tus.io: version 1.0.0 with the extensions `creation` and
 * `termination`.
 */
@ApiTags('uploads')
@Controller()
export class ResumableUploadsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly decisions: Decisions,
  ) {}

  /** Returns the supported version and extensions of the protocol for resumable uploads. */
  @Public()
  @ReplyStatuses(told)
  @Options('tus')
  async tell(@Res() reply: FastifyReply): Promise<void> {
    await describeProtocol(reply).status(204).send();
  }

  /**
   * Returns the supported version and extensions at an upload's address: browsers ask before they send a
   * part.
   */
  @Public()
  @ReplyStatuses(told)
  @Options('tus/:resumable')
  async tellOfParts(@Res() reply: FastifyReply): Promise<void> {
    await describeProtocol(reply).status(204).send();
  }

  /**
   * Starts a resumable upload: `Upload-Length` is its size in bytes, `Upload-Metadata` has its `filename` and
   * `filetype`. Returns 201, with the address for the parts in `Location`.
   */
  @ReplyStatuses({ 201: 'Begun; of an empty file also whole' }, { of: [201], schema: resumableReply })
  @Post('tus')
  async start(
    @CurrentCaller() caller: Caller,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertProtocol(request.headers, reply);
    const progress = await this.commands.execute(new StartResumable(caller, announcedFile(request.headers)));
    reply.header('location', `${PATH}/${progress.upload.id}`).header('upload-offset', 0);
    await this.answer(reply.status(201), progress);
  }

  /** Returns in `Upload-Offset` how many bytes of a file were received. Only for its uploader. */
  @ReplyStatuses({ 200: 'How much came' })
  @Head('tus/:resumable')
  async read(
    @CurrentCaller() caller: Caller,
    @PathName('resumable') resumableId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertProtocol(reply.request.headers, reply);
    const uploads = await this.decisions.load(foldedResumableUploads);
    const { offset, size } = ownResumable(uploads, resumableId, caller.userId);
    await reply.status(200).header('upload-offset', offset).header('upload-length', size).send();
  }

  /**
   * Receives the next part of a file, from the byte `Upload-Offset` on. Returns 204, and for the last part
   * 200 with the address of the file. Only for its uploader.
   */
  @ReplyStatuses(
    { 200: 'The last part: the file is whole', 204: 'Taken' },
    { of: [200], schema: resumableReply },
  )
  @RouteConfig({ acceptsFiles: true })
  @Patch('tus/:resumable')
  async extend(
    @CurrentCaller() caller: Caller,
    @PathName('resumable') resumableId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { headers, raw: body } = reply.request;
    assertProtocol(headers, reply);
    const from = announcedOffset(headers);
    const progress = await this.commands.execute(new ExtendResumable(caller, resumableId, { from, body }));
    reply.header('upload-offset', progress.upload.offset);
    await this.answer(reply.status(progress.uploaded === null ? 204 : 200), progress);
  }

  /** Abandons an incomplete upload, and removes its parts. Only for its uploader. */
  @ReplyStatuses({ 204: 'Given up' })
  @Delete('tus/:resumable')
  async abandon(
    @CurrentCaller() caller: Caller,
    @PathName('resumable') resumableId: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    assertProtocol(reply.request.headers, reply);
    await this.commands.execute(new AbandonResumable(caller, resumableId));
    await reply.status(204).send();
  }

  private async answer(reply: FastifyReply, { uploaded }: ResumableProgress): Promise<void> {
    setProtocolVersion(reply);
    if (uploaded === null) await reply.send();
    else await reply.send({ url: uploadUrl(uploaded), filename: uploaded.name });
  }
}
