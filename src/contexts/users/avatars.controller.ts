import { foldedUsers } from './users.state.js';
import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { budgets } from '../../kernel/budgets.js';
import { ApiConsumes, ApiFile, ApiTags } from '../../http/documentation.decorators.js';
import { storeImage } from '../../stores/file-store/image.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { CurrentCaller, Public } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { replyWithImage } from '../../http/file-reply.js';
import { identifierOrName, PathIdentifier, PathName } from '../../http/parameters/path-parameters.js';
import { receiveImage } from '../../http/server/received-image.js';
import { failure } from '../../kernel/errors.js';
import { Decisions } from '../../http/decisions.js';
import { avatarFileNames, AVATARS_PATH, shownAvatarUrl } from './avatar.js';
import { ChangeAvatar } from './commands/users.js';
import { GetAvatarAddress } from './queries/users.js';
import { Reply, ReplyFile, ReplyRedirect } from '../../http/replies/reply.decorator.js';
import { avatarReply } from './users.replies.js';

/** Pictures of accounts. */
@ApiTags('users')
@Controller()
export class AvatarsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly decisions: Decisions,
    private readonly files: EncryptedFiles,
  ) {}

  /** Sets the caller's picture. */
  @RouteConfig({ acceptsFiles: true })
  @ApiConsumes('multipart/form-data')
  @ApiFile(budgets.imageMebibytes.max)
  @Reply(avatarReply)
  @Post('users/me/avatar')
  async change(@CurrentCaller() caller: Caller, @Req() request: FastifyRequest): Promise<SuccessFields> {
    const received = await receiveImage(request);
    await storeImage(this.files, { ...received, kind: 'avatar', ownerId: caller.userId }, (image) =>
      this.commands.execute(new ChangeAvatar(caller, image)),
    );
    return this.addressOf(caller);
  }

  /** Removes the caller's picture. */
  @Reply(avatarReply)
  @Delete('users/me/avatar')
  async remove(@CurrentCaller() caller: Caller): Promise<SuccessFields> {
    await this.commands.execute(new ChangeAvatar(caller, null));
    return this.addressOf(caller);
  }

  /** Serves a picture without credentials, because pages embed it. Its URL cannot be guessed. */
  @Public()
  @ReplyFile('image/png', 'image/jpeg', 'image/gif', 'image/webp')
  @Get(`${AVATARS_PATH.slice(1)}:user_id/:filename`)
  async image(
    @PathIdentifier('user_id') userId: number,
    @PathName('filename') fileName: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const avatar = this.decisions.snapshot().directory.user(userId)?.avatar ?? null;
    if (avatar === null || !avatarFileNames(avatar.fileName).all.includes(fileName))
      throw failure('noSuchFile');
    const { storageName: name, contentKey, size } = avatar;
    // The stored name has the extension of the type that the bytes have.
    await replyWithImage(reply, this.files, {
      fileName: avatar.fileName,
      stored: { name, contentKey, size },
    });
  }

  /** Redirects to the picture of an account. */
  @ReplyRedirect()
  @Get('avatar/:user_id_or_email')
  async lead(
    @CurrentCaller() caller: Caller,
    @PathName('user_id_or_email') whom: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.leadTo(new GetAvatarAddress(caller, identifierOrName(whom), false), reply);
  }

  /** Redirects to a larger picture of an account. */
  @ReplyRedirect()
  @Get('avatar/:user_id_or_email/medium')
  async leadToMedium(
    @CurrentCaller() caller: Caller,
    @PathName('user_id_or_email') whom: string,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.leadTo(new GetAvatarAddress(caller, identifierOrName(whom), true), reply);
  }

  /** The query string is passed on. */
  private async leadTo(query: GetAvatarAddress, reply: FastifyReply): Promise<void> {
    const address = await this.queries.execute(query);
    const [, sent = ''] = /\?(.*)$/.exec(reply.request.url) ?? [];
    const joint = address.includes('?') ? '&' : '?';
    await reply.redirect(sent === '' ? address : `${address}${joint}${sent}`, 302);
  }

  /** Read from the stream, because this node's directory may be behind. */
  private async addressOf({ userId }: Caller): Promise<SuccessFields> {
    const user = (await this.decisions.load(foldedUsers)).users.get(userId);
    if (user === undefined) throw new Error(`User ${userId} has just been there`);
    return { avatar_url: shownAvatarUrl(this.decisions.snapshot().directory, user) };
  }
}
