import { Injectable } from '@nestjs/common';
import { FileMissingError } from '../../stores/file-store/port.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import type { Caller } from '../../http/caller.js';
import type { ServedFile } from '../../http/file-reply.js';
import { failure } from '../../kernel/errors.js';
import { UploadAccess } from './upload-access.js';
import type { UploadDocument } from './read-model.js';
import { storageNameOfPath, uploadPathId } from './upload-path.js';
import { UploadReader } from './upload-reader.js';

/** Finds uploads by their paths, and opens them. */
@Injectable()
export class UploadedFiles {
  constructor(
    private readonly access: UploadAccess,
    private readonly uploads: UploadReader,
    private readonly files: EncryptedFiles,
  ) {}

  /** @throws ApplicationError `noSuchFile`, also for an upload that the caller may not see */
  async find(caller: Caller, path: string): Promise<UploadDocument> {
    const upload = await this.access.find(caller, storageNameOfPath(path));
    if (upload === null || uploadPathId(upload) !== path) throw failure('noSuchFile');
    return upload;
  }

  /**
   * Finds an upload without a check of access, which was made before.
   *
   * @throws ApplicationError `noSuchFile`
   */
  async named(storageName: string | null): Promise<UploadDocument> {
    const upload = storageName === null ? null : await this.uploads.byStorageName(storageName);
    if (upload === null) throw failure('noSuchFile');
    return upload;
  }

  /** An upload as a reply; opening it fails with `noSuchFile` when it was erased or destroyed. */
  served(upload: UploadDocument, { isDownload }: Pick<ServedFile, 'isDownload'>): ServedFile {
    const { name: fileName, contentType, size, storageName: name, contentKey } = upload;
    return {
      fileName,
      contentType,
      size,
      isDownload,
      cacheControl: null,
      open: async (range) => {
        const content = await this.files.open({ name, contentKey, size }, range).catch(nullWhereMissing);
        if (content === null) throw failure('noSuchFile');
        return content;
      },
    };
  }
}

function nullWhereMissing(error: unknown): null {
  if (error instanceof FileMissingError) return null;
  throw error;
}
