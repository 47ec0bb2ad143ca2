import { mkdir, rm } from 'node:fs/promises';
import { UPLOADS_STREAM } from '../../contexts/uploads/uploads.state.js';
import { FileUploaded, UploadDeleted } from '../../events/uploads.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { RecordedEvent } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { QueryDeadline } from '../../reader-threads/query-deadline.js';
import type { EventLog } from '../../stores/event-store/event-log.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { isReadable, type UnreadableEvent } from '../../stores/event-store/readable-events.js';
import { eventsOfStream } from '../../stores/event-store/port.js';
import type { EncryptedFiles } from '../../stores/file-store/encrypted-files.js';
import { names as entryNames, names } from '../cases/bundle/format.js';
import { MessageStage } from '../cases/bundle/stage-messages.js';
import { StagedFiles } from '../cases/bundle/staged-files.js';
import { fileEntry } from '../cases/bundle/packed-files.js';
import { textEntry, writeZip } from '../cases/bundle/zip-file.js';
import type { CoveredMessage } from '../cases/covered-messages.js';
import { erasures, recordKey, type Erasures } from '../cases/erasures.state.js';
import type { CaseTaskRun } from '../cases/tasks/case-task.js';
import { CaseReader } from '../cases/tasks/case-reader.js';
import { ownTimeline } from '../log/timelines.js';
import { KnownNames } from '../queries/known-names.js';
import { selectedEvents } from '../log/selected-events.js';
import type { OwnDataInput, OwnDataResult } from './own-data-task.js';
import { ownMessage } from './own-message.js';

/** The account and what belongs to it, as the API shows it. */
const ACCOUNT_ENTRY = 'account.json';

/** The history of the account. */
const EVENTS_ENTRY = 'events.ndjson';

/** The text that explains the copy to its reader. @param now ISO 8601 */
function readmeText(now: string): string {
  return `Everything that is stored about you, as of ${now}.

${ACCOUNT_ENTRY}     your account, profile and settings, status, subscriptions, API keys (never the keys themselves), devices, bots, drafts,
                 scheduled messages, reminders, snippets, alert words, muted people, topic policies, stars and files
pages/           your messages, and direct messages to you, to read in any browser
${names.messages}  the same to process, a JSON object a line
${names.table}     the same as a table, a line for each version (UTF-8)
${EVENTS_ENTRY}    what happened to your account, a JSON object a line: logging in and from where, keys, names, roles, settings
${names.files}        your files, and where they are in this copy
files/           the files themselves

Of your own messages every version is here, also of those that were deleted, as long as it is not erased. Of what others wrote to you directly
there is what it says now. Names and topics of channels that you cannot read are left out.
`;
}

/** What a copy is made from. */
interface OwnDataSources {
  readonly log: EventLog;
  readonly files: EncryptedFiles;
  /** ISO 8601. */
  readonly now: string;
}

/** The progress at which each step ends. */
const shares = { messages: 0.7, timeline: 0.8, packing: 1 };

const MAX_BYTES = budgets.ownDataMebibytes.max * 1_048_576;

/**
 * Writes a copy of everything that is stored about a person as a ZIP file, step by step to the disk; an incomplete
 * file is removed.
 *
 * @throws ApplicationError `ownDataTooLarge`; the reason of the abort signal
 */
export async function writeOwnData(
  sources: OwnDataSources,
  input: OwnDataInput,
  run: CaseTaskRun,
): Promise<OwnDataResult> {
  const folder = `${input.file}.parts`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const staged = new StagedFiles(folder, MAX_BYTES, budgets.ownDataMebibytes.over);
  try {
    return await new OwnDataWriter(sources, input, { run, staged }).write();
  } catch (error) {
    await rm(input.file, { force: true });
    throw error;
  } finally {
    await staged.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface OwnDataTask {
  readonly run: CaseTaskRun;
  readonly staged: StagedFiles;
}

class OwnDataWriter {
  private readonly names: KnownNames;
  private events = 0;
  /**
   * Files that the person deleted. They are left out, because the person must not learn whether a legal hold keeps
   * them.
   */
  private readonly deletedFiles = new Set<unknown>();
  private readonly ownFiles: number[] = [];

  constructor(
    private readonly sources: OwnDataSources,
    private readonly input: OwnDataInput,
    private readonly task: OwnDataTask,
  ) {
    this.names = new KnownNames(sources.log);
  }

  async write(): Promise<OwnDataResult> {
    const { sources, task } = this;
    const { userId } = this.input;
    const reader = await CaseReader.begin(sources.log, task.run);
    const view = { userId, channelIds: new Set(this.input.channelIds) };
    const kept = (await new FoldedStreams(sources.log).load(erasures)).state;
    await this.findUploads();
    const stage = new MessageStage({
      ...sources,
      staged: task.staged,
      names: await this.names.lookup(new QueryDeadline()),
      bundle: (message, names) => ownMessage(withoutKept(message, kept), names, view),
      packs: ({ uploadId, uploaderId }) => uploaderId === userId && !this.deletedFiles.has(uploadId),
    });
    await stage.begin();
    const scope = { userIds: [userId], channelIds: [], since: null, until: null };
    for await (const message of reader.messages({ scope, words: null }, shares.messages))
      await stage.add(message);
    // Also files that no message refers to.
    for (const id of this.ownFiles) await stage.addFile(id);
    await stage.end();
    await this.addTimeline(reader.through, kept);
    await task.run.report(shares.timeline);
    const written = await this.pack(stage);
    return {
      ...written,
      messages: stage.messages,
      versions: stage.versions,
      events: this.events,
      files: stage.toPack.length,
      missing_files: stage.missingFiles,
      unreadable_events: reader.unreadable,
    };
  }

  private async findUploads(): Promise<void> {
    const { log } = this.sources;
    for await (const { type, data, revision } of eventsOfStream(log.store, UPLOADS_STREAM)) {
      this.task.run.signal.throwIfAborted();
      if (type === UploadDeleted.type) this.deletedFiles.add(data['uploadId']);
      else if (type === FileUploaded.type && data['uploaderId'] === this.input.userId)
        this.ownFiles.push(idAtRevision(revision));
    }
  }

  private async addTimeline(through: number, kept: Erasures): Promise<void> {
    const { run, staged } = this.task;
    await staged.write(EVENTS_ENTRY, '');
    const selection = { ...ownTimeline(this.input.userId), through };
    for await (const { events } of selectedEvents(this.sources.log, selection)) {
      run.signal.throwIfAborted();
      const shown = events.map((event) => withoutKeptOrigin(event, kept));
      for (const event of await this.names.describe(shown, new QueryDeadline())) {
        this.events += 1;
        await staged.write(EVENTS_ENTRY, `${JSON.stringify(event)}\n`);
      }
    }
    await staged.end(EVENTS_ENTRY);
  }

  private pack(stage: MessageStage): ReturnType<typeof writeZip> {
    const { run, staged } = this.task;
    const entries = [
      textEntry(ACCOUNT_ENTRY, this.input.records),
      ...stage.pages.map((name) => staged.entry(name, `pages/${name}`)),
      ...[entryNames.messages, entryNames.table, entryNames.files, EVENTS_ENTRY].map((name) =>
        staged.entry(name),
      ),
      ...stage.toPack.map((each) => fileEntry(this.sources.files, each)),
    ];
    return writeZip({
      file: this.input.file,
      entries,
      signal: run.signal,
      last: () => textEntry(entryNames.readme, readmeText(this.sources.now)),
      onEntry: (count) =>
        void run.report(shares.timeline + (shares.packing - shares.timeline) * (count / entries.length)),
      onBytes: (bytes) => {
        if (bytes > MAX_BYTES) throw failure('ownDataTooLarge');
      },
    });
  }
}

/** Treats as erased what was deleted and only a legal hold keeps: only auditors may see it. */
function withoutKept(message: CoveredMessage, { messages }: Erasures): CoveredMessage {
  if (messages.get(message.messageId) === undefined) return message;
  return { ...message, versions: message.versions.map((version) => ({ ...version, erased: true })) };
}

/** The same for the origins of log-ins that are older than the retention period. */
function withoutKeptOrigin(
  event: RecordedEvent | UnreadableEvent,
  { records }: Erasures,
): RecordedEvent | UnreadableEvent {
  if (!isReadable(event) || records.get(recordKey(event)) === undefined) return event;
  return { ...event, data: { ...(event.data as object), address: '', client: '' }, erased: true };
}
