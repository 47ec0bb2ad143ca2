import { hash, randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KEY_SCHEMA } from '../../../src/stores/key-store/embedded/embedded-key-store.js';
import { encrypt } from '../../../src/stores/key-store/envelope.js';
import type { StoredEvent } from '../../../src/stores/event-store/port.js';
import { openSecretDatabase } from '../../../src/stores/sqlite/secret-database.js';
import { renderMarkdown } from '../../../src/markdown/render.js';
import { BareLog, bareRow } from './bare-log.js';
import { copyModel } from './bare-model.js';
import { secondsOf } from './rounds.js';
import { sampleText } from './sample-messages.js';
import { STREAM } from './stored-samples.js';

/** The unavoidable parts of a send, each in seconds of one core per message. */
export interface SendParts {
  readonly encrypting: number;
  readonly storing: number;
  readonly rendering: number;
  readonly inserting: number;
}

/** What is measured. */
export interface SendPartsOptions {
  readonly folder: string;
  /** The number of messages that are sent at the same time. */
  readonly together: number;
  readonly events: readonly StoredEvent[];
  /** The folder with the product's models. */
  readonly models: string;
}

/** Measures each part of a send alone, without the product's code around it. */
export async function measureSendParts(options: SendPartsOptions): Promise<SendParts> {
  const { events, models, folder } = options;
  const each = (seconds: number): number => seconds / events.length;
  return {
    encrypting: each(await secondsOf(() => events.forEach(encryptAndHash))),
    storing: each(await secondsOf(() => store(options))),
    rendering: each(
      await secondsOf(() => events.forEach((_, index) => void renderMarkdown(sampleText(index), {}))),
    ),
    inserting: await insert(models, folder),
  };
}

/** Encrypts with a new key for each message, which another key wraps. */
function encryptAndHash(event: StoredEvent): void {
  const [wrapping, key] = [randomBytes(32), randomBytes(32)];
  encrypt(wrapping, { plaintext: key, boundTo: event.id });
  const content = JSON.stringify(event.data);
  encrypt(key, { plaintext: content, boundTo: event.id });
  hash('sha256', content);
}

/** Commits the keys, and then the events. */
function store({ events, together, folder }: SendPartsOptions): void {
  const keys = openSecretDatabase(join(folder, `${randomUUID()}.sqlite`), KEY_SCHEMA);
  const log = new BareLog(join(folder, `${randomUUID()}.sqlite`));
  const insertion = keys.prepare('INSERT INTO keys VALUES (?, ?, ?)');
  const wrapped = randomBytes(60);
  for (let from = 0; from < events.length; from += together) {
    const some = events.slice(from, from + together);
    keys.exec('BEGIN IMMEDIATE');
    some.forEach((_, index) => insertion.run([String(from + index).padStart(36, '0'), 'user:1', wrapped]));
    keys.exec('COMMIT');
    log.insertTogether(
      some.map((event, index) =>
        bareRow({ ...event, stream: STREAM, revision: from + index, position: from + index + 1 }),
      ),
    );
  }
  keys.close();
  log.close();
}

/** Inserts the documents that the product made from its messages, with the same indexes. */
async function insert(models: string, folder: string): Promise<number> {
  const [file] = (await readdir(models)).filter((name) => /^messages__v\d+\.sqlite$/.test(name));
  if (file === undefined) throw new Error('There is no model to copy');
  const { messages, seconds } = copyModel(join(models, file), join(folder, `${randomUUID()}.sqlite`));
  return seconds / messages;
}
