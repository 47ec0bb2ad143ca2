import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../../http/caller.js';
import type { ServedFile } from '../../http/file-reply.js';
import { failure } from '../../kernel/errors.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { Vault } from '../../stores/key-store/vault.js';
import type { UploadDocument } from './read-model.js';
import { UploadAccess } from './upload-access.js';
import { shortName, storageNameOfPath, uploadPathId, UPLOADS_PATH } from './upload-path.js';
import { UploadReader } from './upload-reader.js';

/** Separates these signatures from others under the same key. */
const PURPOSE = 'temporary upload';

/** Lifetime of a link in milliseconds: long enough for a client to pass it to the program that opens it. */
const LIFETIME = 60_000;

/** Links that open one file for a short time without credentials, which browsers and players do not send. */
@Injectable()
export class TemporaryLinks {
  constructor(
    private readonly vault: Vault,
    private readonly clock: SystemClock,
  ) {}

  /** The path of a link to a file. */
  make(storageName: string, fileName: string): string {
    const terms = `${storageName} ${this.clock.now() + LIFETIME}`;
    const token = `${Buffer.from(terms).toString('base64url')}.${this.vault.linkDigest(PURPOSE, terms)}`;
    return `${UPLOADS_PATH}temporary/${token}/${fileName}`;
  }

  /** The stored file of a token; null when it was not issued by this server, or has expired. */
  open(token: string): string | null {
    const [encoded = '', signature = ''] = token.split('.');
    const terms = Buffer.from(encoded, 'base64url').toString();
    const [given, expected] = [Buffer.from(signature), Buffer.from(this.vault.linkDigest(PURPOSE, terms))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    const [storageName = '', expiresAt] = terms.split(' ');
    return Number(expiresAt) > this.clock.now() ? storageName : null;
  }
}

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
    const { contentType, size, storageName: name, contentKey } = upload;
    return {
      fileName: shortName(upload.name),
      contentType,
      size,
      isDownload,
      cacheControl: null,
      assertExists: async () => {
        if (await this.files.isErased({ contentKey })) throw failure('noSuchFile');
      },
      open: async (range) => {
        const content = await this.files.openExisting({ name, contentKey, size }, range);
        if (content === null) throw failure('noSuchFile');
        return content;
      },
    };
  }
}
