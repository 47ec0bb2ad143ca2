import { createHash, type Hash, type KeyObject } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import type { LogStores } from '../../../stores/open-log.js';
import { organizationName } from '../../names.js';
import { exportLog } from '../../transfer/export-log.js';
import type { ExportInput } from './format.js';
import type { MadeExport } from '../exports.decide.js';
import type { ExportSteps } from './write-messages.js';

const MEBIBYTE = 1_048_576;

/** Lines between two calls of `step`. */
const LINES = 500;

/** What an export of the whole log is made from. */
interface LogSources {
  readonly stores: Pick<LogStores, 'log' | 'eventStore' | 'keyStore'>;
  readonly files: EncryptedFiles;
  /** Signs the root of all events. */
  readonly signingKey: KeyObject;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
}

/**
 * Writes the same file as `palimpsest audit export --keys`: the log with its uploads, encrypted as they are stored,
 * and the keys, wrapped under the server's key. Only a server with the same `server.key` can import it.
 *
 * @throws ApplicationError `exportTooLarge`; the errors of `step`
 */
export async function writeLog(
  { stores, files, signingKey, now }: LogSources,
  { file }: ExportInput,
  { signal, step }: ExportSteps,
): Promise<MadeExport> {
  const hash = createHash('sha256');
  let damagedEvents = 0;
  const exported = exportLog({
    eventStore: stores.eventStore,
    keyStore: stores.keyStore,
    files,
    header: {
      format: 'palimpsest-log',
      version: 2,
      organization: await organizationName(stores.log),
      exportedAt: new Date(now).toISOString(),
      keys: true,
      files: true,
    },
    signingKey,
    onDamage: () => (damagedEvents += 1),
  });
  await pipeline(
    Readable.from(chunksOf(exported, hash, step), { objectMode: false }),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
    { signal },
  );
  return { sha256: hash.digest('hex'), messages: null, missingFiles: 0, damagedEvents };
}

/** The lines of the file, each added to its digest. @throws ApplicationError `exportTooLarge`; the errors of `step` */
async function* chunksOf(
  exported: AsyncIterable<unknown>,
  hash: Hash,
  step: ExportSteps['step'],
): AsyncGenerator<Buffer> {
  let bytes = 0;
  let lines = 0;
  for await (const line of exported) {
    const chunk = Buffer.from(`${JSON.stringify(line)}\n`);
    bytes += chunk.length;
    if (bytes > budgets.exportMebibytes.max * MEBIBYTE) throw failure('exportTooLarge');
    hash.update(chunk);
    yield chunk;
    lines += 1;
    if (lines % LINES === 0) await step();
  }
}
