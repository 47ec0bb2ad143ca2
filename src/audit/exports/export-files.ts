import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { organizationNumber } from '../../kernel/api-constants.js';
import { failure } from '../../kernel/errors.js';
import { FileMissingError, type ByteRange } from '../../stores/file-store/port.js';
import { EncryptedFiles, type StoredFile } from '../../stores/file-store/encrypted-files.js';
import { KeyMissingError } from '../../stores/key-store/record-keys.js';
import { Vault } from '../../stores/key-store/vault.js';

/** The folder of this process that exports are made in. */
export class ExportsFolder {
  constructor(readonly path: string) {}
}

/** Where the files of exports lie: while they are made in a folder of this process, and afterwards encrypted in the file store. */
@Injectable()
export class ExportFiles {
  constructor(
    private readonly files: EncryptedFiles,
    private readonly vault: Vault,
    private readonly folder: ExportsFolder,
  ) {}

  /** The name in the file store of an attempt at an export. @param random letters and digits that no other attempt has */
  nameOf(random: string): string {
    return `${organizationNumber}/exports/${random}`;
  }

  /** Where an attempt writes its file, in a folder that holds nothing else: what was there is of an attempt that was cut off. */
  async emptyPlace(): Promise<string> {
    await this.empty();
    await mkdir(this.folder.path, { recursive: true, mode: 0o700 });
    return join(this.folder.path, 'export');
  }

  /** Removes what an attempt wrote outside the file store. */
  empty(): Promise<void> {
    return rm(this.folder.path, { recursive: true, force: true });
  }

  /** Encrypts a file that was made, and keeps it. */
  keep(name: string, file: string): Promise<StoredFile> {
    return this.files.put({ name, ownerId: null }, createReadStream(file) as AsyncIterable<Uint8Array>);
  }

  /** Removes what there is of an attempt in the file store. Doing it again changes nothing. */
  discard(name: string): Promise<void> {
    return this.files.delete({ name });
  }

  /** Removes a file and destroys its key: copies of it, as in a backup, cannot be read either. Doing it again changes nothing. */
  async destroy({ name, contentKey }: Pick<StoredFile, 'name' | 'contentKey'>): Promise<void> {
    await this.files.delete({ name });
    await this.vault.destroy([contentKey]);
  }

  /** The content of a file, or a part of it. @throws ApplicationError `exportDeleted` when it is gone */
  async open(file: StoredFile, range: ByteRange | null): Promise<Readable> {
    try {
      const content = await this.files.open(file, range);
      if (content !== null) return content;
    } catch (error) {
      // A log that was imported from elsewhere came without the files of its exports, and without their keys.
      if (!(error instanceof FileMissingError || error instanceof KeyMissingError)) throw error;
    }
    throw failure('exportDeleted');
  }
}
