import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { Directory } from '../../../access/directory.js';
import type { MessageDocument } from '../../../contexts/messages/message-document.js';
import type { MessageReader } from '../../../contexts/messages/message-reader.js';
import type { UploadReader } from '../../../contexts/uploads/upload-reader.js';
import type { ExportType } from '../../../events/exports.js';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import type { ManifestEntry } from '../../cases/bundle/format.js';
import { StagedFiles } from '../../cases/bundle/staged-files.js';
import { fileEntry } from '../../cases/bundle/packed-files.js';
import { textEntry, writeZip, type Packed } from '../../cases/bundle/zip-file.js';
import { consentingPeople } from '../consents.js';
import { entryNames, readmeText, type ExportManifest, type ExportInput } from './format.js';
import type { MadeExport } from '../exports.decide.js';
import { ExportedPlaces } from './exported-places.js';
import { addressViewers, exportedChannel, exportedMessage, exportedPerson } from './exported-records.js';
import { ExportedUploads } from './exported-uploads.js';

/** Messages that are read at once. */
const PAGE = 500;

const MEBIBYTE = 1_048_576;

/** What an export of messages is made from. */
interface MessageSources {
  readonly directory: Directory;
  readonly messages: Pick<MessageReader, 'model' | 'placements'>;
  readonly uploads: UploadReader;
  readonly files: EncryptedFiles;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
}

/** How an export gives way to other work. */
export interface ExportSteps {
  readonly signal: AbortSignal;
  /** Awaited repeatedly: it lets other work run, and throws when the export is aborted. */
  readonly step: () => Promise<void>;
}

/**
 * Writes what may be read of the organization as a ZIP file: the content of the read models, filtered by the rules for
 * reading. It is written to the disk step by step.
 *
 * @throws ApplicationError `exportTooLarge`; the errors of `step`
 */
export async function writeMessages(
  sources: MessageSources,
  { type, file }: ExportInput,
  run: ExportSteps,
): Promise<MadeExport> {
  const folder = `${file}.parts`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const staged = new StagedFiles(folder, budgets.exportMebibytes.max * MEBIBYTE, 'exportTooLarge');
  try {
    const writer = new MessagesWriter(sources, staged, type);
    await writer.stage(run);
    return await writer.pack(file, run);
  } finally {
    await staged.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class MessagesWriter {
  private readonly uploads: ExportedUploads;
  private messages = 0;

  constructor(
    private readonly sources: MessageSources,
    private readonly staged: StagedFiles,
    private readonly type: ExportType,
  ) {
    this.uploads = new ExportedUploads({ ...sources, staged });
  }

  async stage(run: ExportSteps): Promise<void> {
    const { directory, now, messages } = this.sources;
    const consenting = this.type === 'public' ? [] : consentingPeople(directory);
    const placements = await messages.placements();
    const places = new ExportedPlaces({ snapshot: { directory, now }, placements, consenting });
    const viewers = addressViewers(consenting);
    await this.stageLines(
      entryNames.people,
      [...directory.users()].map((user) => exportedPerson(user, directory, viewers)),
    );
    const channels = [...directory.channels()].filter((channel) => places.holdsChannel(channel));
    await this.stageLines(entryNames.channels, channels.map(exportedChannel));
    await this.stageMessages(places, run);
  }

  async pack(file: string, run: ExportSteps): Promise<MadeExport> {
    const { toPack, missing } = this.uploads;
    const about = {
      organization: this.sources.directory.organizationName,
      type: this.type,
      exported_at: new Date(this.sources.now).toISOString(),
    };
    const entries = [
      textEntry(entryNames.readme, readmeText(about)),
      textEntry(entryNames.organization, this.organizationText()),
      ...[entryNames.people, entryNames.channels, entryNames.messages, entryNames.files].map((name) => ({
        name,
        open: () => Promise.resolve(createReadStream(this.staged.pathOf(name))),
      })),
      ...toPack.map((each) => fileEntry(this.sources.files, each)),
    ];
    const last = (done: readonly ManifestEntry[]): Packed => {
      const counts = { messages: this.messages, files: toPack.length, missing_files: missing };
      const manifest: ExportManifest = {
        format: 'palimpsest-export',
        version: 1,
        ...about,
        ...counts,
        entries: [...done],
      };
      return textEntry(entryNames.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    };
    const { sha256 } = await writeZip({
      file,
      entries,
      last,
      signal: run.signal,
      onEntry: () => {},
      onBytes: (bytes) => {
        if (bytes > budgets.exportMebibytes.max * MEBIBYTE) throw failure('exportTooLarge');
      },
    });
    return { sha256, messages: this.messages, missingFiles: missing, damagedEvents: 0 };
  }

  private async stageMessages(places: ExportedPlaces, { step }: ExportSteps): Promise<void> {
    await this.staged.write(entryNames.messages, '');
    await this.uploads.begin();
    const collection = (await this.sources.messages.model()).collection<MessageDocument>('messages');
    for (let after = 0; ;) {
      const page = await collection.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: PAGE });
      const held = page.filter((message) => places.holdsMessage(message));
      await this.uploads.add(held.flatMap(({ uploadIds }) => uploadIds));
      for (const message of held) await this.stageMessage(message);
      await step();
      if (page.length < PAGE) break;
      after = page.at(-1)!._id;
    }
    await this.staged.end(entryNames.messages);
    await this.staged.end(entryNames.files);
  }

  private stageMessage(message: MessageDocument): Promise<void> {
    this.messages += 1;
    const line = exportedMessage(message, this.sources.directory);
    return this.staged.write(entryNames.messages, `${JSON.stringify(line)}\n`);
  }

  private async stageLines(name: string, records: readonly object[]): Promise<void> {
    await this.staged.write(name, '');
    for (const record of records) await this.staged.write(name, `${JSON.stringify(record)}\n`);
    await this.staged.end(name);
  }

  private organizationText(): string {
    const { organization, organizationName: name } = this.sources.directory;
    const created = organization === null ? null : new Date(organization.createdAt).toISOString();
    const description = organization?.settings.description ?? '';
    return `${JSON.stringify({ name, description, created }, null, 2)}\n`;
  }
}
