import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { chunks } from '../../stores/file-store/image.js';
import { SealedFiles } from '../../stores/file-store/sealed-files.js';
import type { Caller } from '../../http/caller.js';
import { DeleteUpload, UploadFile } from '../uploads/commands/uploads.js';
import { newStorageName, uploadUrl } from '../uploads/upload-path.js';
import type { AttachedFile } from './attached-files.js';

/** A file of a mail that became an upload. */
export interface KeptAttachment {
  readonly uploadId: number;
  readonly name: string;
  /** Its address on this server. */
  readonly url: string;
}

/** Keeps the files of mails as uploads of those in whose name the mails are said. */
@Injectable()
export class KeptAttachments {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: SealedFiles,
  ) {}

  /** All of them, or none where that fails. */
  async keep(sender: Caller, files: readonly AttachedFile[]): Promise<readonly KeptAttachment[]> {
    const kept: KeptAttachment[] = [];
    try {
      for (const file of files) kept.push(await this.keepOne(sender, file));
    } catch (error) {
      await this.giveUp(sender, kept);
      throw error;
    }
    return kept;
  }

  /** For those that no message came to name. */
  async giveUp(sender: Caller, kept: readonly KeptAttachment[]): Promise<void> {
    for (const { uploadId } of kept) await this.commands.execute(new DeleteUpload(sender, uploadId));
  }

  private async keepOne(
    sender: Caller,
    { name, contentType, content }: AttachedFile,
  ): Promise<KeptAttachment> {
    const storageName = newStorageName();
    const stored = await this.files.put({ name: storageName, ownerId: sender.userId }, chunks(content));
    const uploaded = await this.commands.execute(new UploadFile(sender, { name, contentType, stored }));
    return { uploadId: uploaded.uploadId, name, url: uploadUrl(uploaded) };
  }
}
