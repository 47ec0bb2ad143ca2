import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { failure } from '../../kernel/errors.js';
import { asksOnlyForHeaders, fileOnDisk, replyWithFile } from '../../http/file-reply.js';
import { NoParameters, OnlyParameters } from '../../http/parameters/parameters.decorator.js';
import { type Described, named, seconds, secondsOrNever } from '../../http/replies/common-schemas.js';
import { SeparateRateLimit } from '../../http/limits/rate-limit.guard.js';
import { Reply, ReplyFile } from '../../http/replies/reply.decorator.js';
import { toSeconds } from '../../kernel/clock.js';
import { RecordOwnDataExport } from './commands/own-data.js';
import { OwnDataExports, type OwnDataExport } from './own-data-exports.js';
import { OwnRecords } from './own-records.js';

const count = z.int();

/** A copy of everything that is stored about somebody. */
const ownDataSchema = named(
  'OwnDataExport',
  z.strictObject({
    state: z.enum(['running', 'done', 'failed']),
    progress: z.number().min(0).max(1),
    began: seconds,
    ended: secondsOrNever,
    result: z
      .strictObject({
        bytes: count,
        sha256: z.string().describe('SHA-256 of the whole file, in hexadecimal digits'),
        messages: count,
        versions: count,
        events: count,
        files: count,
        missing_files: count,
        unreadable_events: count,
      })
      .nullable()
      .describe('Null: the file is not finished'),
    error: z.string().nullable(),
    expires: secondsOrNever.describe(
      'Until when the file can be downloaded, in seconds since the UNIX epoch; null: the file is not finished',
    ),
  }),
);

type OwnDataObject = Described<typeof ownDataSchema>;

/** Answered by `POST users/me/data_export`. */
const begunOwnDataReply = { export: ownDataSchema };

/** Answered by `GET users/me/data_export`. */
const ownDataReply = {
  export: ownDataSchema.nullable().describe('Null: there is no such export, or it has expired'),
};

/** A copy of everything that is stored about whoever asks, for themselves. */
@ApiTags('users')
@Controller('users/me/data_export')
export class OwnDataController {
  constructor(
    private readonly exports: OwnDataExports,
    private readonly records: OwnRecords,
    private readonly commands: CommandBus,
  ) {}

  /**
   * Starts to make a copy of everything that is stored about the caller: account, settings, drafts, files, all
   * versions of the messages that they sent, direct messages that they received, and the events of their account. The
   * copy is made in the background: one at a time, and at most ten a day. It replaces the previous copy.
   */
  @Reply(begunOwnDataReply)
  @Post()
  async begin(
    @CurrentCaller() caller: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): Promise<SuccessFields> {
    const { userId } = caller;
    const begun = await this.exports.begin(userId, async () => {
      await this.commands.execute(new RecordOwnDataExport(caller, 'requested'));
      const records = `${JSON.stringify(await this.records.of(caller), null, 2)}\n`;
      return { kind: 'own-data', userId, records, channelIds: this.records.channelsOf(caller) };
    });
    return { export: exportObject(begun) };
  }

  /** Tells the progress and the contents of the caller's copy. `export` is null if there is none. */
  @Reply(ownDataReply)
  @SeparateRateLimit('status')
  @Get()
  read(
    @CurrentCaller() { userId }: Caller,
    @OnlyParameters(NoParameters) _parameters: NoParameters,
  ): SuccessFields {
    const found = this.exports.of(userId);
    return { export: found && exportObject(found) };
  }

  /** Stops making the caller's copy, and deletes it, if there is one. */
  @Reply()
  @Delete()
  async drop(@CurrentCaller() { userId }: Caller): Promise<void> {
    await this.exports.drop(userId);
  }

  /** Serves the caller's copy, a ZIP file, for one day after it was made. */
  @ReplyFile('application/zip')
  @Get('file')
  async download(@CurrentCaller() caller: Caller, @Res() reply: FastifyReply): Promise<void> {
    const file = await this.exports.file(caller.userId);
    const content = await fileOnDisk(file, () => failure('noOwnData'));
    if (!asksOnlyForHeaders(reply))
      await this.commands.execute(new RecordOwnDataExport(caller, 'downloaded'));
    await replyWithFile(reply, {
      fileName: 'my-data.zip',
      contentType: 'application/zip',
      isDownload: true,
      cacheControl: null,
      ...content,
    });
  }
}

/** A copy as replies show it; times are in seconds since the UNIX epoch. */
function exportObject({
  state,
  progress,
  began,
  ended,
  result,
  error,
  expires,
}: OwnDataExport): OwnDataObject {
  return {
    state,
    progress: Math.floor(progress * 1000) / 1000,
    began: toSeconds(began),
    ended: ended === null ? null : toSeconds(ended),
    result,
    error: error?.message ?? null,
    expires: expires === null ? null : toSeconds(expires),
  };
}
