import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PassThrough, Readable, Transform, type Duplex } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ReadableStream } from 'node:stream/web';
import { createGunzip, createGzip } from 'node:zlib';
import { BackupRefusedError, digestOf, type Piece } from './manifest.js';
import type { BackupPlace } from './places/place.js';

/** `age` is loaded only when a backup is encrypted. */
const age = () => import('age-encryption');

/** Speed matters more than size: even so, texts shrink to about a third. */
const compressionOptions = { level: 3 };

/** Writes the pieces of one backup: compresses and encrypts each, and puts it into the place. */
export class PieceWriter {
  private count = 0;

  constructor(
    private readonly place: BackupPlace,
    private readonly options: {
      readonly backupId: string;
      /** An age public key, `age1…`; null: no encryption. */
      readonly recipient: string | null;
      /** The folder for temporary files, which only the server's own user can read. */
      readonly staging: string;
    },
  ) {}

  /** @param compress false for content that is already encrypted, which does not compress */
  async write(file: string, { compress = true }: { readonly compress?: boolean } = {}): Promise<Piece> {
    const { backupId, recipient, staging } = this.options;
    const name = `pieces/${backupId}/${this.count++}${compress ? '.gz' : ''}${recipient === null ? '' : '.age'}`;
    const stored = join(staging, 'piece');
    try {
      const content = createReadStream(file);
      const read = compress ? content.pipe(createGzip(compressionOptions)) : content;
      content.on('error', (error) => read.destroy(error));
      const sealed = recipient === null ? read : await encrypted(read, recipient);
      await pipeline(sealed, createWriteStream(stored, { mode: 0o600 }));
      const piece = { name, bytes: (await stat(stored)).size, sha256: await digestOf(stored) };
      await this.place.put(name, stored);
      return piece;
    } finally {
      await rm(stored, { force: true });
    }
  }
}

async function encrypted(content: Readable, recipient: string): Promise<Readable> {
  const { Encrypter } = await age();
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  return Readable.fromWeb((await encrypter.encrypt(webStream(content))) as ReadableStream);
}

/** The web platform and Node have different types for the same stream. */
function webStream(content: Readable): globalThis.ReadableStream<Uint8Array> {
  return ReadableStream.from<Uint8Array>(bytesOf(content));
}

/** The decryption needs plain arrays, because slices of a `Buffer` share its memory. */
async function* bytesOf(content: Readable): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) yield new Uint8Array(chunk as Uint8Array);
}

/** Reads the pieces of a backup. */
export class PieceReader {
  /** @param identities age secret keys; empty: only unencrypted pieces can be read */
  constructor(
    private readonly place: BackupPlace,
    private readonly identities: readonly string[],
  ) {}

  /**
   * Writes the content of a piece to a file, durably.
   *
   * @throws BackupRefusedError when the piece is missing, damaged, or encrypted to another key
   */
  async restore(piece: Piece, file: string): Promise<void> {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const checked = checking(await this.place.read(piece.name), piece);
    const isEncrypted = piece.name.endsWith('.age');
    const plain = isEncrypted ? await this.decrypted(checked, piece) : checked;
    const unpacked: Duplex = /\.gz(?:\.age)?$/.test(piece.name) ? createGunzip() : new PassThrough();
    try {
      await pipeline(plain, unpacked, createWriteStream(file, { mode: 0o600, flush: true }));
    } catch (error) {
      throw error instanceof BackupRefusedError ? error : damaged(piece, error);
    }
  }

  /** Reads a whole piece and compares its digest. @throws BackupRefusedError when it is missing or damaged */
  async check(piece: Piece): Promise<void> {
    const checked = checking(await this.place.read(piece.name), piece);
    await finished(checked.resume());
  }

  private async decrypted(content: Readable, { name }: Piece): Promise<Readable> {
    if (this.identities.length === 0) {
      throw new BackupRefusedError(
        'The backup is encrypted: name the file with the secret key that belongs to BACKUP_RECIPIENT, --identity FILE.',
      );
    }
    const { Decrypter } = await age();
    const decrypter = new Decrypter();
    for (const identity of this.identities) decrypter.addIdentity(identity);
    try {
      return Readable.fromWeb((await decrypter.decrypt(webStream(content))) as ReadableStream);
    } catch (cause) {
      if (cause instanceof BackupRefusedError) throw cause;
      throw new BackupRefusedError(`${name} does not open under the keys of --identity`, { cause });
    }
  }
}

/** Passes bytes on, and fails at the end when they differ from the bytes that were written. */
function checking(content: Readable, piece: Piece): Readable {
  const hash = createHash('sha256');
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    flush(done) {
      done(hash.digest('hex') === piece.sha256 ? null : damaged(piece));
    },
  });
  content.on('error', (error) => checked.destroy(error));
  return content.pipe(checked);
}

function damaged({ name }: Piece, cause?: unknown): BackupRefusedError {
  return new BackupRefusedError(`The backup is damaged: ${name} is not what it was.`, { cause });
}

/**
 * The secret keys in a file in the format of `age-keygen`: one key a line, and comment lines.
 *
 * @throws BackupRefusedError when there is none
 */
export async function readIdentities(file: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new BackupRefusedError(`${file} cannot be read`, { cause });
  }
  const identities = text.match(/^AGE-SECRET-KEY-[\dA-Z-]+$/gm) ?? [];
  if (identities.length === 0) {
    throw new BackupRefusedError(`${file} holds no secret key of age: a line AGE-SECRET-KEY-1….`);
  }
  return identities;
}
