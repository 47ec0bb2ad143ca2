import { Controller, Delete, Get, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { storeImage, type StoredImage } from '../../stores/file-store/image.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { Public, CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import { ApiTags } from '../../http/documentation.decorators.js';
import { replyWithImage } from '../../http/file-reply.js';
import { BooleanParameter } from '../../http/parameters/parameter-decorators.js';
import {
  Parameters,
  ParametersWithImage,
  type WithImage,
} from '../../http/parameters/parameters.decorator.js';
import { PathName } from '../../http/parameters/path-parameters.js';
import type { ReceivedImage } from '../../http/server/received-image.js';
import { failure } from '../../kernel/errors.js';
import { ChangePicture } from './commands/organization.js';
import { pictureKinds, type PictureKind } from '../../events/organization.js';
import { pictureOf, PICTURES_PATH } from './pictures.js';
import { Reply, ReplyFile, ReplyRedirect } from '../../http/replies/reply.decorator.js';
import { iconReply } from './organization.replies.js';

/** Parameters of POST /realm/icon: only the file. */
class IconParameters {}

/** Parameters of POST, GET and DELETE /realm/logo. */
class LogoParameters {
  @BooleanParameter({
    example: false,
    required: true,
    description: 'Whether the logo is the one for dark themes.',
  })
  night!: boolean;
}

/** The organization's icon and logos. */
@ApiTags('organization')
@Controller()
export class PicturesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: EncryptedFiles,
    private readonly follower: DirectoryFollower,
  ) {}

  /** Sets the organization's icon: one file. Administrators only. */
  @RouteConfig({ acceptsFiles: true })
  @Reply(iconReply)
  @Post('realm/icon')
  async changeIcon(
    @CurrentCaller() caller: Caller,
    @ParametersWithImage(IconParameters) { image }: WithImage<IconParameters>,
  ): Promise<Record<string, unknown>> {
    await this.change(caller, 'icon', image);
    return { icon_url: this.addressOf('icon') };
  }

  /** Removes the organization's icon. Administrators only. */
  @Reply(iconReply)
  @Delete('realm/icon')
  async removeIcon(@CurrentCaller() caller: Caller): Promise<Record<string, unknown>> {
    await this.commands.execute(new ChangePicture(caller, 'icon', null));
    return { icon_url: this.addressOf('icon') };
  }

  /** Redirects to the organization's icon. */
  @ReplyRedirect()
  @Get('realm/icon')
  async icon(@Res() reply: FastifyReply): Promise<void> {
    await reply.redirect(this.addressOf('icon'), 302);
  }

  /** Sets a logo of the organization: one file. Administrators only. */
  @RouteConfig({ acceptsFiles: true })
  @Reply()
  @Post('realm/logo')
  async changeLogo(
    @CurrentCaller() caller: Caller,
    @ParametersWithImage(LogoParameters) { parameters, image }: WithImage<LogoParameters>,
  ): Promise<void> {
    await this.change(caller, logoKind(parameters), image);
  }

  /** Removes a logo of the organization. Administrators only. */
  @Reply()
  @Delete('realm/logo')
  async removeLogo(
    @CurrentCaller() caller: Caller,
    @Parameters(LogoParameters) parameters: LogoParameters,
  ): Promise<void> {
    await this.commands.execute(new ChangePicture(caller, logoKind(parameters), null));
  }

  /** Redirects to a logo of the organization. */
  @ReplyRedirect()
  @Get('realm/logo')
  async logo(
    @Parameters(LogoParameters) parameters: LogoParameters,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await reply.redirect(this.addressOf(logoKind(parameters)), 302);
  }

  /** Serves a picture of the organization without credentials, because pages embed it. */
  @Public()
  @ReplyFile('image/png', 'image/jpeg', 'image/gif', 'image/webp')
  @Get(`${PICTURES_PATH.slice(1)}:filename`)
  async serve(@PathName('filename') fileName: string, @Res() reply: FastifyReply): Promise<void> {
    const kind = pictureKinds.find((one) => `${one}.png` === fileName);
    const stored = kind && this.follower.current().organization?.pictures?.[kind]?.stored;
    if (stored == null) throw failure('noSuchFile');
    const { fileName: kept, storageName: name, contentKey, size } = stored;
    await replyWithImage(reply, this.files, { fileName: kept, stored: { name, contentKey, size } });
  }

  private addressOf(kind: PictureKind): string {
    return pictureOf(this.follower.current().organization ?? {}, kind).url;
  }

  private async change(caller: Caller, kind: PictureKind, image: ReceivedImage | null): Promise<void> {
    if (image === null) throw failure('fileRequired');
    await storeImage(this.files, { ...image, kind: 'realm', ownerId: null }, (stored: StoredImage) =>
      this.commands.execute(new ChangePicture(caller, kind, stored)),
    );
  }
}

function logoKind({ night }: LogoParameters): PictureKind {
  return night ? 'night_logo' : 'logo';
}
