import { FileUploaded } from '../../../events/uploads.js';
import { UPLOADS_STREAM } from '../../../contexts/uploads/uploads.state.js';
import { isEvent, type Recorded } from '../../../kernel/event.js';
import { revisionOfId } from '../../../kernel/ids.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import { decodeReadable, isReadable } from '../../../stores/event-store/readable-events.js';
import type { CoveredMessage } from '../covered-messages.js';
import type { CaseSize, CaseTaskRun, SizeInput } from './case-task.js';
import { CaseReader, peopleOf } from './case-reader.js';

/** Counts what a case covers, in one pass over the log. */
export async function sizeOfCase(
  log: EventLog,
  { scope, words }: SizeInput,
  run: CaseTaskRun,
): Promise<CaseSize> {
  const reader = await CaseReader.begin(log, run);
  const count = new Count();
  for await (const message of reader.messages({ scope, words }, 0.95)) count.add(message);
  let fileBytes = 0;
  for (const id of count.files) {
    run.signal.throwIfAborted();
    fileBytes += (await uploadOf(log, id))?.data.size ?? 0;
  }
  const { messages, deleted, versions, erased, textBytes, files, people, sendings, others } = count;
  return {
    messages,
    deleted_messages: deleted,
    versions,
    erased_versions: erased,
    people: people.size,
    events: sendings + others.size,
    unreadable_events: reader.unreadable,
    text_bytes: textBytes,
    files: files.size,
    file_bytes: fileBytes,
  };
}

/** An upload as it was recorded; null: it does not exist, or cannot be read. */
export async function uploadOf(
  log: EventLog,
  uploadId: number,
): Promise<Recorded<typeof FileUploaded> | null> {
  const page = await log.store.readStream(UPLOADS_STREAM, { from: revisionOfId(uploadId), limit: 1 });
  const [event] = await decodeReadable(log, page);
  if (event === undefined || !isReadable(event) || !isEvent(event, FileUploaded)) return null;
  return event.data.uploadId === uploadId ? event : null;
}

class Count {
  messages = 0;
  deleted = 0;
  versions = 0;
  erased = 0;
  textBytes = 0;
  /** Events in the messages' own streams and those that sent them. */
  sendings = 0;
  readonly people = new Set<number>();
  readonly files = new Set<number>();
  /** Positions of moves: one event may move many messages. */
  readonly others = new Set<number>();

  add(message: CoveredMessage): void {
    this.messages += 1;
    if (message.deletedAt !== null) this.deleted += 1;
    this.sendings += message.stored.length;
    for (const id of peopleOf(message)) this.people.add(id);
    for (const { move } of message.locations) if (move !== null) this.others.add(move.position);
    for (const { content, erased, uploadIds } of message.versions) {
      this.versions += 1;
      if (erased) this.erased += 1;
      else this.textBytes += Buffer.byteLength(content);
      for (const id of uploadIds) this.files.add(id);
    }
  }
}
