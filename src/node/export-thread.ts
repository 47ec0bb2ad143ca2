import 'reflect-metadata';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { pause } from '../../projections/engine/pause.js';
import { directoryEventTypes } from '../access/directory-event-types.js';
import type { DirectoryFollower } from '../access/directory-follower.js';
import { writeLog } from '../audit/exports/contents/write-log.js';
import { writeMessages, type ExportSteps } from '../audit/exports/contents/write-messages.js';
import type { ExportInput } from '../audit/exports/contents/format.js';
import type { MadeExport } from '../audit/exports/exports.decide.js';
import { hasFollowed } from '../audit/past/conversation/past-conversation-view.js';
import { loadSigningKey } from '../audit/sealing/signing-key.js';
import type { MessageReader } from '../contexts/messages/message-reader.js';
import { UploadReader } from '../contexts/uploads/upload-reader.js';
import { failure } from '../kernel/errors.js';
import { QueryDeadline } from '../reader-threads/query-deadline.js';
import type { EncryptedFiles } from '../stores/file-store/encrypted-files.js';
import { openFilesToRead, openReadStore } from '../stores/stores.js';
import { openLogToRead, type LogStores } from '../stores/open-log.js';
import type { ServerStoreConfiguration } from '../stores/store-configuration.js';
import { applicationRefusal } from './application-refusal.js';
import type { TaskThreadData } from './task-in-thread.js';
import { openMessageReader } from './open-message-reader.js';
import { runTaskThread, type ThreadTask } from './task-thread.js';

/** How long to wait for read models that lag, in milliseconds. */
const MAX_CATCH_UP = 60_000;
const LOOK_AGAIN = 100;

/** What both kinds of exports read from. */
interface Opened {
  readonly configuration: ServerStoreConfiguration;
  readonly stores: LogStores;
  readonly files: EncryptedFiles;
}

/** Opens the thread's own stores and makes the export. */
async function perform(
  { configuration, input }: TaskThreadData<ExportInput>,
  { signal }: ThreadTask<number>,
): Promise<MadeExport> {
  const stores = await openLogToRead(configuration);
  const filesToRead = await openFilesToRead(configuration, stores.vault);
  const step = async (): Promise<void> => {
    // Lets the thread receive messages, such as the one to stop.
    await yieldToEventLoop();
    signal.throwIfAborted();
  };
  const run = { signal, step };
  const opened = { configuration, stores, files: filesToRead.files };
  try {
    return input.type === 'full_without_consent'
      ? await exportTheLog(opened, input, run)
      : await exportMessages(opened, input, run);
  } finally {
    await filesToRead.close();
    await stores.close();
  }
}

async function exportTheLog(
  { configuration, stores, files }: Opened,
  input: ExportInput,
  run: ExportSteps,
): Promise<MadeExport> {
  const signingKey = await loadSigningKey(configuration.dataDirectory);
  return writeLog({ stores, files, signingKey, now: Date.now() }, input, run);
}

async function exportMessages(
  { configuration, stores, files }: Opened,
  input: ExportInput,
  run: ExportSteps,
): Promise<MadeExport> {
  const readStore = await openReadStore(configuration, { readOnly: true });
  const { models, follower, messages, clock } = openMessageReader(readStore, stores);
  try {
    await follower.start();
    await catchUp({ follower, messages, log: stores.log }, input.position, run);
    const directory = follower.current();
    const uploads = new UploadReader(models);
    return await writeMessages({ directory, messages, uploads, files, now: clock.now() }, input, run);
  } finally {
    await follower.stop();
    await readStore.close();
  }
}

/** @throws ApplicationError `unavailable` when the read models do not reach a position in time */
async function catchUp(
  {
    follower,
    messages,
    log,
  }: {
    readonly follower: DirectoryFollower;
    readonly messages: MessageReader;
    readonly log: LogStores['log'];
  },
  position: number,
  { signal, step }: ExportSteps,
): Promise<void> {
  const write = { position, types: [...directoryEventTypes] };
  if (!(await follower.waitUntil(write, MAX_CATCH_UP))) throw failure('unavailable');
  const sources = { log, deadline: new QueryDeadline() };
  const deadline = performance.now() + MAX_CATCH_UP;
  while (!(await hasFollowed(sources, await messages.model(), position))) {
    if (performance.now() > deadline) throw failure('unavailable');
    await pause(LOOK_AGAIN, signal);
    await step();
  }
}

await runTaskThread(perform, applicationRefusal);
