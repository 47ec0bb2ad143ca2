import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { EMOJI_IMAGES_PATH } from '../../access/records/custom-emoji.js';
import { CurrentCaller, Public } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { budgets } from '../../kernel/budgets.js';
import { ApiConsumes, ApiFile, ApiTags } from '../../http/documentation.decorators.js';
import type { SuccessFields } from '../../http/envelope.js';
import { RawJson } from '../../kernel/json.js';
import { replyWithImage } from '../../http/file-reply.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import { Reply, ReplyFile } from '../../http/replies/reply.decorator.js';
import { receiveImage } from '../../http/server/received-image.js';
import { failure } from '../../kernel/errors.js';
import { emojiNamesByCode } from '../../markdown/emoji.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { storeImage } from '../../stores/file-store/image.js';
import { customEmojiReply, emojiNamesReply } from './emoji.replies.js';
import { AddCustomEmoji, DeactivateCustomEmoji } from './commands/custom-emoji.js';
import { GetCustomEmoji } from './queries/custom-emoji.js';

/** The organization's own emoji. */
@ApiTags('custom emoji')
@Controller()
export class CustomEmojiController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly files: EncryptedFiles,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Lists the custom emoji by id, deactivated ones included. */
  @Reply(customEmojiReply)
  @Get('realm/emoji')
  async list(): Promise<SuccessFields> {
    return { emoji: await this.queries.execute(new GetCustomEmoji()) };
  }

  /** Adds a custom emoji. */
  @RouteConfig({ acceptsFiles: true })
  @ApiConsumes('multipart/form-data')
  @ApiFile(budgets.imageMebibytes.max)
  @Reply()
  @Post('realm/emoji/:emoji_name')
  async add(
    @CurrentCaller() caller: Caller,
    @PathName('emoji_name') name: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    const received = await receiveImage(request);
    await storeImage(this.files, { ...received, kind: 'emoji', ownerId: null }, (image) =>
      this.commands.execute(new AddCustomEmoji(caller, name, image)),
    );
  }

  /** Deactivates a custom emoji. */
  @Reply()
  @Delete('realm/emoji/:emoji_name')
  async deactivate(@CurrentCaller() caller: Caller, @PathName('emoji_name') name: string): Promise<void> {
    await this.commands.execute(new DeactivateCustomEmoji(caller, name));
  }

  /**
   * Serves the image of a custom emoji without credentials, because pages embed it. Its URL cannot be
   * guessed.
   */
  @Public()
  @ReplyFile('image/png', 'image/jpeg', 'image/gif', 'image/webp')
  @Get(`${EMOJI_IMAGES_PATH.slice(1)}:filename`)
  async image(@PathName('filename') fileName: string, @Res() reply: FastifyReply): Promise<void> {
    const { emoji } = this.follower.current().customEmoji;
    const found = emoji.find((one) => one.fileName === fileName);
    if (found === undefined) throw failure('noSuchFile');
    const { storageName: name, contentKey, size } = found;
    await replyWithImage(reply, this.files, { fileName, stored: { name, contentKey, size } });
  }
}

/** The names of the built-in emoji, at the URL that clients get as `server_emoji_data_url`. */
@ApiTags('real time')
@Public()
@Controller()
export class EmojiDataController {
  private readonly data = new RawJson(JSON.stringify({ code_to_names: emojiNamesByCode }));

  /** Lists the names of every built-in emoji by its code, the preferred name first. */
  @Reply(emojiNamesReply)
  @Get('static/emoji.json')
  names(): RawJson {
    return this.data;
  }
}
