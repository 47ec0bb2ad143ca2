import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { chunks } from '../../stores/file-store/image.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import type { Caller } from '../../http/caller.js';
import { DeleteUpload, UploadFile } from '../uploads/commands/uploads.js';
import { newStorageName } from '../uploads/incoming-files.js';
import { uploadUrl } from '../uploads/upload-path.js';
import type { AttachedFile } from './read-mail.js';

/** A file of a mail that was uploaded. */
export interface StoredAttachment {
  readonly uploadId: number;
  readonly name: string;
  /** Its path on this server. */
  readonly url: string;
}

/** Uploads the files of mails for the senders of the messages. */
@Injectable()
export class StoredAttachments {
  constructor(
    private readonly commands: CommandBus,
    private readonly files: EncryptedFiles,
  ) {}

  /** Uploads all files, or none if one fails. */
  async keep(sender: Caller, files: readonly AttachedFile[]): Promise<readonly StoredAttachment[]> {
    const kept: StoredAttachment[] = [];
    try {
      for (const file of files) kept.push(await this.keepOne(sender, file));
    } catch (error) {
      await this.giveUp(sender, kept);
      throw error;
    }
    return kept;
  }

  /** Removes uploads that no message names in the end. */
  async giveUp(sender: Caller, kept: readonly StoredAttachment[]): Promise<void> {
    for (const { uploadId } of kept) await this.commands.execute(new DeleteUpload(sender, uploadId));
  }

  private async keepOne(
    sender: Caller,
    { name, contentType, content }: AttachedFile,
  ): Promise<StoredAttachment> {
    const storageName = newStorageName();
    const stored = await this.files.put({ name: storageName, ownerId: sender.userId }, chunks(content));
    const uploaded = await this.commands.execute(new UploadFile(sender, { name, contentType, stored }));
    return { uploadId: uploaded.uploadId, name, url: uploadUrl(uploaded) };
  }
}
