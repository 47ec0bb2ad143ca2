import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ORGANIZATION_NUMBER } from '../../kernel/api-constants.js';
import { failure } from '../../kernel/errors.js';
import type { ByteRange } from '../../stores/file-store/port.js';
import { EncryptedFiles, type StoredFile } from '../../stores/file-store/encrypted-files.js';
import { Vault } from '../../stores/key-store/vault.js';

/** The folder in which this process makes exports. */
export class ExportsFolder {
  constructor(readonly path: string) {}
}

/**
 * Stores the files of exports: in a folder of this process while they are made, and then encrypted in the file store.
 */
@Injectable()
export class ExportFiles {
  constructor(
    private readonly files: EncryptedFiles,
    private readonly vault: Vault,
    private readonly folder: ExportsFolder,
  ) {}

  /** The name of an attempt's file in the file store. @param random letters and digits that no other attempt has */
  nameOf(random: string): string {
    return `${ORGANIZATION_NUMBER}/exports/${random}`;
  }

  /**
   * Returns the path at which an attempt writes its file, in an empty folder. What an interrupted attempt left there
   * is removed.
   */
  async emptyPlace(): Promise<string> {
    await this.empty();
    await mkdir(this.folder.path, { recursive: true, mode: 0o700 });
    return join(this.folder.path, 'export');
  }

  /** Removes what an attempt wrote outside the file store. */
  empty(): Promise<void> {
    return rm(this.folder.path, { recursive: true, force: true });
  }

  /** Encrypts a finished file and moves it to the file store. */
  keep(name: string, file: string): Promise<StoredFile> {
    return this.files.put({ name, ownerId: null }, createReadStream(file) as AsyncIterable<Uint8Array>);
  }

  /** Removes what an attempt wrote to the file store. Repeating it changes nothing. */
  discard(name: string): Promise<void> {
    return this.files.delete({ name });
  }

  /**
   * Removes a file and destroys its key, so that copies, such as those in backups, cannot be read either. Repeating it
   * changes nothing.
   */
  async destroy({ name, contentKey }: Pick<StoredFile, 'name' | 'contentKey'>): Promise<void> {
    await this.files.delete({ name });
    await this.vault.destroy([contentKey]);
  }

  /** Opens the content of a file, or a part of it. @throws ApplicationError `exportDeleted` when it is gone */
  async open(file: StoredFile, range: ByteRange | null): Promise<Readable> {
    // A log that was imported from another server came without the files of its exports and their keys.
    const content = await this.files.openExisting(file, range);
    if (content !== null) return content;
    throw failure('exportDeleted');
  }

  /** @throws ApplicationError `exportDeleted` when the key of a file is gone */
  async assertExists(file: StoredFile): Promise<void> {
    if (await this.files.isErased(file)) throw failure('exportDeleted');
  }
}
