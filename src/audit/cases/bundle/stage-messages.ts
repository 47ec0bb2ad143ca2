import { safeFileName } from '../../../contexts/uploads/upload-path.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import { csvLine } from '../../csv-line.js';
import type { CoveredMessage } from '../covered-messages.js';
import { uploadOf } from '../tasks/case-size.js';
import type { CaseNames } from '../tasks/search-case.js';
import {
  bundledMessage,
  TABLE_HEADING,
  tableLines,
  type BundledFile,
  type BundledMessage,
} from './bundled-message.js';
import { names as entryNames } from './format.js';
import { messageHtml, pageParts } from './html.js';
import { canBeRead, type FileToPack } from './packed-files.js';
import type { StagedFiles } from './staged-files.js';

/** Messages per HTML page. */
const PAGE = 500;

const FILES_HEADING = csvLine(['file', 'name', 'uploader', 'bytes', 'entry', 'state']);

/** Where messages and files are read from, and where they are written. */
interface StagingOptions {
  readonly log: EventLog;
  readonly files: EncryptedFiles;
  readonly names: CaseNames;
  readonly staged: StagedFiles;
  /** Converts a message for the bundle; null leaves it out. Absent: every message is included, as a whole. */
  readonly bundle?: (message: CoveredMessage, names: CaseNames) => BundledMessage | null;
  /** Whether a file is included. Absent: all are. */
  readonly packs?: (upload: { readonly uploadId: number; readonly uploaderId: number }) => boolean;
}

/** Writes messages one after another as HTML pages, as a table, and as lines of JSON. */
export class MessageStage {
  messages = 0;
  versions = 0;
  missingFiles = 0;
  /** Positions of the events to be proven. */
  readonly events = new Set<number>();
  readonly pages: string[] = [];
  readonly toPack: FileToPack[] = [];
  private readonly files = new Map<number, BundledFile>();

  constructor(private readonly options: StagingOptions) {}

  async begin(): Promise<void> {
    const { staged } = this.options;
    await staged.write(entryNames.messages, '');
    await staged.write(entryNames.table, `${TABLE_HEADING}\r\n`);
    await staged.write(entryNames.files, `${FILES_HEADING}\r\n`);
  }

  async add(covered: CoveredMessage): Promise<void> {
    const { staged, names, bundle = bundledMessage } = this.options;
    const message = bundle(covered, names);
    if (message === null) return;
    for (const id of message.upload_ids) await this.addFile(id);
    if (this.messages % PAGE === 0) await this.turnPage();
    this.messages += 1;
    this.versions += message.versions.length;
    for (const { position } of covered.stored) this.events.add(position);
    for (const { move } of covered.locations) if (move !== null) this.events.add(move.position);
    await staged.write(entryNames.messages, `${JSON.stringify(message)}\n`);
    for (const line of tableLines(message)) await staged.write(entryNames.table, `${line}\r\n`);
    await staged.write(this.pages.at(-1)!, messageHtml(message, this.files));
  }

  async end(): Promise<void> {
    await this.endPage();
    for (const name of [entryNames.messages, entryNames.table, entryNames.files])
      await this.options.staged.end(name);
  }

  private async turnPage(): Promise<void> {
    await this.endPage();
    const name = `messages-${String(this.pages.length + 1).padStart(4, '0')}.html`;
    this.pages.push(name);
    await this.options.staged.write(name, pageParts(this.title)[0]);
  }

  private async endPage(): Promise<void> {
    const name = this.pages.at(-1);
    if (name === undefined) return;
    await this.options.staged.write(name, pageParts(this.title)[1]);
    await this.options.staged.end(name);
  }

  private get title(): string {
    return `Messages, page ${this.pages.length}`;
  }

  /** Adds a file to the bundle if it still exists; a file that was already added is not looked up again. */
  async addFile(id: number): Promise<void> {
    if (this.files.has(id)) return;
    const { log, staged, packs = () => true } = this.options;
    const upload = await uploadOf(log, id);
    if (upload === null || !packs(upload.data)) return;
    this.events.add(upload.position);
    const { storageName, contentKey, size, name, uploaderId } = upload.data;
    const stored = { name: storageName, contentKey, size };
    const isThere = !upload.erased && (await canBeRead(this.options.files, stored));
    const entry = isThere ? `files/${id}-${safeFileName(name)}` : null;
    this.files.set(id, { id, name, entry });
    if (entry === null) this.missingFiles += 1;
    else this.toPack.push({ entry, stored });
    const cells = [id, name, uploaderId, size, entry ?? '', entry === null ? 'missing' : 'here'];
    await staged.write(entryNames.files, `${csvLine(cells.map(String))}\r\n`);
  }
}
