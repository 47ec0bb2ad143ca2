import { safeFileName } from '../../../contexts/uploads/upload-path.js';
import type { UploadDocument } from '../../../contexts/uploads/read-model.js';
import type { UploadReader } from '../../../contexts/uploads/upload-reader.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import { canBeRead, type FileToPack } from '../../cases/bundle/packed-files.js';
import type { StagedFiles } from '../../cases/bundle/staged-files.js';
import { csvLine } from '../../csv-line.js';
import { entryNames } from './format.js';

const HEADING = csvLine(['file', 'name', 'uploader', 'bytes', 'entry', 'state']);

/** Where uploads are looked up, and where they are listed. */
interface ExportedUploadsOptions {
  readonly uploads: UploadReader;
  readonly files: EncryptedFiles;
  readonly staged: StagedFiles;
}

/** The uploads that the messages of an export refer to. */
export class ExportedUploads {
  readonly toPack: FileToPack[] = [];
  missing = 0;
  private readonly seen = new Set<number>();

  constructor(private readonly options: ExportedUploadsOptions) {}

  async begin(): Promise<void> {
    await this.options.staged.write(entryNames.files, `${HEADING}\r\n`);
  }

  /** Lists those of the given uploads that are not listed yet; deleted uploads are not found. */
  async add(uploadIds: readonly number[]): Promise<void> {
    const fresh = [...new Set(uploadIds)].filter((id) => !this.seen.has(id));
    fresh.forEach((id) => this.seen.add(id));
    const found = await this.options.uploads.byIds(fresh);
    this.missing += fresh.length - found.length;
    for (const upload of found) await this.list(upload);
  }

  private async list(upload: UploadDocument): Promise<void> {
    const { _id: id, name, uploaderId, size, storageName, contentKey } = upload;
    const { files, staged } = this.options;
    const stored = { name: storageName, contentKey, size };
    const entry = (await canBeRead(files, stored)) ? `files/${id}-${safeFileName(name)}` : null;
    if (entry === null) this.missing += 1;
    else this.toPack.push({ entry, stored });
    const cells = [id, name, uploaderId, size, entry ?? '', entry === null ? 'missing' : 'here'];
    await staged.write(entryNames.files, `${csvLine(cells.map(String))}\r\n`);
  }
}
