import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { importLog } from '../../../src/audit/transfer/import-log.js';
import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import { openEmbeddedStores } from '../../support/temporary-stores.js';
import { ProgressLine } from '../../../src/cli/progress-line.js';
import type { Stores } from '../../../src/stores/stores.js';
import { Conversation, type Cast, type KnownUpload, type PlannedAppend } from './conversation.js';
import { beginOrganization, type Members } from './members.js';

/** A data directory with a long conversation, and the members of its organization. */
export interface Archive {
  readonly folder: string;
  readonly messages: number;
  readonly members: Members;
}

/** Must be increased when {@link makeArchive} changes, so that existing archives are remade. */
const EDITION = 1;

/** The number of messages whose events are encoded together, and appended before the events about them. */
const BLOCK = 500;
const APPENDS_AT_ONCE = 256;
const UPLOADS = 200;

/**
 * The archive with a number of messages in a folder. It is made if it does not exist; an incomplete one is remade.
 *
 * @param parent for instance `var/bench`
 */
export async function openArchive(parent: string, messages: number): Promise<Archive> {
  const folder = join(parent, `archive-${EDITION}-${messages}`);
  const description = join(folder, 'archive.json');
  if (!existsSync(description)) await makeArchive(folder, messages);
  return { folder, messages, members: JSON.parse(await readFile(description, 'utf8')) as Members };
}

async function makeArchive(folder: string, messages: number): Promise<void> {
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true });
  const members = await beginOrganization(draft);
  // As after any import: models are built from the whole log, and reactors start at its end.
  await rm(join(draft, 'models'), { recursive: true, force: true });
  const stores = await openEmbeddedStores(draft);
  const progress = new ProgressLine({ output: process.stderr, label: 'Making the archive', total: messages });
  try {
    const writer = new ArchiveWriter(stores, await castOf(stores, members));
    await importLog(() => writer.lines(messages, (made) => progress.set(made)), {
      ...stores,
      tagKey: stores.tags.key,
      appendsAtOnce: APPENDS_AT_ONCE,
      missingKeys: 'refuse',
      onProgress: () => undefined,
    });
  } finally {
    progress.end();
    await stores.close();
  }
  await writeFile(join(draft, 'archive.json'), JSON.stringify(members));
  await rename(draft, folder);
}

/** Registers uploads in the log only: no request reads their bytes. */
async function castOf(stores: Stores, members: Members): Promise<Cast> {
  const uploaderId = members.people[0]!.id;
  const uploads: KnownUpload[] = [];
  const metadata = { actorId: uploaderId, causationId: null, client: 'bench', at: Date.now() };
  for (let id = 1; id <= UPLOADS; id += 1) {
    const contentKey = randomUUID();
    const storageName = `1/${(id % 256).toString(16).padStart(2, '0')}/${id.toString(16).padStart(38, '0')}`;
    const upload = { id, storageName, name: `report-${id}.pdf` };
    await (await stores.vault.newFileKey(contentKey, uploaderId)).keep();
    const data = {
      uploadId: id,
      uploaderId,
      storageName,
      contentKey,
      name: upload.name,
      contentType: 'application/pdf',
      size: 100_000,
    };
    const event = { type: 'FileUploaded', data };
    const expected = id === 1 ? 'no-stream' : id - 2;
    await stores.log.append({ stream: 'uploads', expected }, [event], {
      ...metadata,
      commandId: randomCommandId(),
    });
    uploads.push(upload);
  }
  const { people, channelIds, requester } = members;
  return { people, channelIds, requester: { id: requester.id, name: requester.name }, uploads };
}

/** Writes a conversation as the lines of an export, with keys that are already in the key store. */
class ArchiveWriter {
  private readonly conversation: Conversation;

  constructor(
    private readonly stores: Stores,
    cast: Cast,
  ) {
    this.conversation = new Conversation(cast);
  }

  async *lines(messages: number, onProgress: (made: number) => void): AsyncGenerator<string> {
    const [last] = await this.stores.log.readStream('messages', { direction: 'backwards', limit: 1 });
    const first = (last?.revision ?? -1) + 1;
    for (let made = 0; made < messages; made += BLOCK) {
      yield* await this.block(first + made, Math.min(BLOCK, messages - made));
      onProgress(made);
    }
  }

  /** Writes a number of messages, and then the events about them. */
  private async block(revision: number, count: number): Promise<readonly string[]> {
    const planned = Array.from({ length: count }, () => this.conversation.next());
    const sent = await Promise.all(planned.map(({ sending }) => this.encode(sending)));
    const later = planned.flatMap(
      ({ afterwards }, index) => afterwards(revision + index + 1, sent[index]![0]!.id) ?? [],
    );
    const changed = await Promise.all(later.map((append) => this.encode(append)));
    return [
      ...sent.map(([event], index) => lineOf({ ...event, stream: 'messages', revision: revision + index })),
      ...changed.flatMap((events, index) =>
        events.map((event, place) => lineOf({ ...event, stream: later[index]!.stream, revision: place })),
      ),
    ];
  }

  private encode({ stream, events, metadata }: PlannedAppend): ReturnType<Stores['codec']['encode']> {
    return this.stores.codec.encode({ stream, expected: 'any' }, events, metadata);
  }
}

function lineOf(event: object): string {
  return JSON.stringify({ event });
}
