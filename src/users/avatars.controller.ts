import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiBody, ApiConsumes, ApiTags } from '../http/documentation.decorators.js';
import { storeImage } from '../file-store/image.js';
import { SealedFiles } from '../file-store/sealed-files.js';
import { CurrentCaller } from '../http/authentication/current-caller.decorator.js';
import { Public } from '../http/authentication/public.decorator.js';
import type { Caller } from '../http/caller.js';
import type { SuccessFields } from '../http/envelope.js';
import { replyWithImage } from '../http/file-reply.js';
import { PathIdentifier, PathName } from '../http/parameters/path-parameters.js';
import { receiveImage } from '../http/server/received-image.js';
import { failure } from '../kernel/errors.js';
import { Accounts } from './accounts.js';
import { avatarsPath, shownAvatarUrl } from './avatar.js';
import { ChangeAvatar } from './commands/change-avatar.js';

/** Pictures of accounts. */
@ApiTags('users')
@Controller()
export class AvatarsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    private readonly files: SealedFiles,
  ) {}

  /** Gives the caller another picture. */
  @RouteConfig({ acceptsFiles: true })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', properties: { filename: { type: 'string', format: 'binary' } } } })
  @Post('users/me/avatar')
  async change(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<SuccessFields> {
    const received = await receiveImage(request);
    await storeImage(this.files, { ...received, kind: 'avatar', ownerId: caller.userId }, (image) =>
      this.commands.execute(new ChangeAvatar(caller, image)),
    );
    return this.addressOf(caller);
  }

  /** Takes the caller's picture away. */
  @Delete('users/me/avatar')
  async remove(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    await this.commands.execute(new ChangeAvatar(caller, null));
    return this.addressOf(caller);
  }

  /** Serves a picture: pages show it without credentials, at an address that nobody guesses. */
  @Public()
  @Get(`${avatarsPath.slice(1)}:user_id/:filename`)
  async image(
    @PathIdentifier('user_id') userId: number,
    @PathName('filename') fileName: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const avatar = this.accounts.moment().directory.user(userId)?.avatar ?? null;
    if (avatar?.fileName !== fileName) throw failure('noSuchFile');
    const { storageName: name, contentKey, size } = avatar;
    await replyWithImage(reply, fileName, await this.files.open({ name, contentKey, size }, null));
  }

  /** As of the stream: what this node follows may be behind. */
  private async addressOf({ userId }: Caller): Promise<SuccessFields> {
    const user = (await this.accounts.all()).users.get(userId);
    if (user === undefined) throw new Error(`User ${userId} has just been there`);
    return { avatar_url: shownAvatarUrl(this.accounts.moment().directory, user) };
  }
}
