import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { failure } from '../../kernel/errors.js';
import { type FormFields, MAX_FIELDS } from '../request-parameters.js';
import { MAX_BODY_BYTES, MAX_NAME_BYTES } from './limits.js';
import { malformed } from './multipart.js';

/** What a client says about a file that it sends. */
interface FileHead {
  /** The client's name for it; not trusted. */
  readonly fileName: string;
  /** As the client declares it; `application/octet-stream` if it does not. */
  readonly contentType: string;
}

/** A file that was received completely. */
export interface ReceivedFile<Content> extends FileHead {
  readonly content: Content;
}

/** How a file's bytes are stored while they are received. */
export interface FileStorage<Content> {
  /** Maximum size of the file in whole mebibytes. */
  readonly maxMebibytes: number;
  readonly keep: (stream: Readable) => Promise<Content>;
  /** Removes what {@link keep} returned, because the rest of the body was invalid. */
  readonly discard: (content: Content) => Promise<void>;
}

/**
 * Reads a multipart body with exactly one file, under any name, as a stream; its other fields become the
 * request's body. For endpoints declared with `acceptsFiles`.
 *
 * @throws ApplicationError `fileRequired`, `oneFileAtATime`, `fileTooLarge`; `malformedMultipart` when the
 * body is malformed
 */
export async function receiveFile<Content>(
  request: FastifyRequest,
  storage: FileStorage<Content>,
): Promise<ReceivedFile<Content>> {
  const received = await receiveFileIfAny(request, storage);
  if (received === null) throw failure('fileRequired');
  return received;
}

/** Like {@link receiveFile} where the file is optional; null: none was sent. */
export async function receiveFileIfAny<Content>(
  request: FastifyRequest,
  storage: FileStorage<Content>,
): Promise<ReceivedFile<Content> | null> {
  const receiver = new FileReceiver(request, storage);
  const received = await receiver.read();
  request.body = receiver.fields;
  return received;
}

class FileReceiver<Content> {
  readonly fields: FormFields = Object.create(null) as FormFields;
  private received: Promise<ReceivedFile<Content>> | null = null;

  constructor(
    private readonly request: FastifyRequest,
    private readonly storage: FileStorage<Content>,
  ) {}

  async read(): Promise<ReceivedFile<Content> | null> {
    try {
      await this.parse();
      return await this.received;
    } catch (error) {
      await this.takeBack();
      throw error;
    }
  }

  private parse(): Promise<void> {
    const body = this.request.raw;
    const parser = this.parser();
    return new Promise((resolve, reject) => {
      const refuse = (error: Error): void => {
        body.unpipe(parser);
        // The rest is read and dropped, so that the connection can be reused.
        body.resume();
        reject(error);
      };
      let fieldBytes = 0;
      parser.on('field', (name, text) => {
        fieldBytes += Buffer.byteLength(text);
        if (fieldBytes > MAX_BODY_BYTES) refuse(failure('requestTooLarge'));
        else this.fields[name] = text;
      });
      // A file with an empty name has an undefined one, whatever the parser's types say.
      parser.on('file', (...[_field, stream, fileName = '', _encoding, contentType]) => {
        this.receive(stream, { fileName, contentType }).catch(refuse);
      });
      parser.on('filesLimit', () => refuse(failure('oneFileAtATime')));
      parser.on('fieldsLimit', () => refuse(failure('requestTooLarge')));
      parser.on('error', () => refuse(malformed()));
      parser.on('finish', resolve);
      body.once('error', refuse);
      body.once('close', () => {
        if (!body.complete) refuse(malformed());
      });
      body.pipe(parser);
    });
  }

  private receive(stream: BusboyFileStream, head: FileHead): Promise<ReceivedFile<Content>> {
    const { maxMebibytes, keep } = this.storage;
    const tooLarge = failure('fileTooLarge', { reason: String(maxMebibytes) });
    // A part may break off before anybody reads it: the stream keeps the error for its later reader.
    stream.on('error', () => stream.destroy(malformed()));
    stream.once('limit', () => stream.destroy(tooLarge));
    // The parser gets no end when the client disconnects in the middle.
    const { raw } = this.request;
    raw.once('close', () => {
      if (!raw.complete) stream.destroy(malformed());
    });
    this.received = keep(stream).then(
      (content) => ({ ...head, content }),
      (error: unknown) => {
        throw stream.errored ?? error;
      },
    );
    return this.received;
  }

  /** An incomplete file was never kept. */
  private async takeBack(): Promise<void> {
    const received = await this.received?.catch(() => null);
    if (received != null) await this.storage.discard(received.content);
  }

  private parser(): BusboyInstance {
    const { headers } = this.request;
    const contentType = headers['content-type'] ?? '';
    if (!contentType.startsWith('multipart/form-data')) throw failure('fileRequired');
    const limits = {
      fields: MAX_FIELDS,
      fieldNameSize: MAX_NAME_BYTES,
      fieldSize: MAX_BODY_BYTES,
      files: 1,
      fileSize: this.storage.maxMebibytes * 1_048_576,
      headerPairs: 50,
    };
    try {
      return new Busboy({ headers: { ...headers, 'content-type': contentType }, limits });
    } catch {
      throw malformed();
    }
  }
}
