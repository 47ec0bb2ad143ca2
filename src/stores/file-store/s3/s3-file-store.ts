import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { s3ClientConfiguration, type S3Access } from '../../../configuration/s3-access.js';
import { OperatorError } from '../../../kernel/errors.js';
import { FileMissingError, FileStoreUnavailableError, type ByteRange, type FileStore } from '../port.js';
import { StagingArea } from '../staging-area.js';
import { REPLY_TIMEOUT, uploadTimeout, withTimeout } from './request-timeout.js';

/** Address and credentials of a store that speaks the S3 protocol. */
interface S3Options extends S3Access {
  readonly bucket: string;
  readonly stagingDirectory: string;
  /** How long the bucket may take to begin a reply, in milliseconds; default: {@link REPLY_TIMEOUT}. */
  readonly replyTimeout?: number;
}

/** The bucket cannot be reached, does not exist, or cannot be written to. */
class BucketUnavailableError extends OperatorError {
  override readonly name = 'BucketUnavailableError';
  constructor({ bucket, endpoint }: S3Options, reason: string) {
    super(
      `The bucket "${bucket}" at ${endpoint ?? 'Amazon'} cannot be used (${reason}): see S3_BUCKET, S3_ENDPOINT, S3_REGION and the access keys`,
    );
  }
}

/** Name of a file that is written and removed at a start, to find out whether files can be stored. */
const PROBE = 'palimpsest-probe';
const PROBE_MILLISECONDS = 15_000;

/**
 * Opens a file store in an existing bucket.
 *
 * @throws BucketUnavailableError
 */
export async function openS3FileStore(options: S3Options): Promise<FileStore> {
  const client = new S3Client(s3ClientConfiguration(options));
  await probe(client, options);
  const staging = await StagingArea.open(options.stagingDirectory);
  return new S3FileStore(client, options, staging);
}

async function probe(client: S3Client, options: S3Options): Promise<void> {
  const object = { Bucket: options.bucket, Key: PROBE };
  const abortSignal = AbortSignal.timeout(PROBE_MILLISECONDS);
  try {
    await client.send(new PutObjectCommand({ ...object, Body: Buffer.from(PROBE) }), { abortSignal });
    await client.send(new DeleteObjectCommand(object), { abortSignal });
  } catch (error) {
    client.destroy();
    const { name, message } = error as Error;
    throw new BucketUnavailableError(options, message || name);
  }
}

class S3FileStore implements FileStore {
  private readonly bucket: string;
  private readonly replyTimeout: number;

  constructor(
    private readonly client: S3Client,
    { bucket, replyTimeout = REPLY_TIMEOUT }: S3Options,
    private readonly staging: StagingArea,
  ) {
    this.bucket = bucket;
    this.replyTimeout = replyTimeout;
  }

  /** The protocol needs the length first, so the content is collected on the disk. */
  async put(name: string, content: Readable): Promise<void> {
    await this.staging.hold(content, async (file) => {
      const { size } = await stat(file);
      const object = { ...this.named(name), Body: createReadStream(file), ContentLength: size };
      await this.ask(uploadTimeout(size, this.replyTimeout), (abortSignal) =>
        this.client.send(new PutObjectCommand(object), { abortSignal }),
      );
    });
  }

  async read(name: string, { from, through }: ByteRange): Promise<Readable> {
    try {
      const object = { ...this.named(name), Range: `bytes=${from}-${through}` };
      const { Body: body } = await this.ask(this.replyTimeout, (abortSignal) =>
        this.client.send(new GetObjectCommand(object), { abortSignal }),
      );
      return body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) throw new FileMissingError(name);
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    await this.ask(this.replyTimeout, (abortSignal) =>
      this.client.send(new DeleteObjectCommand(this.named(name)), { abortSignal }),
    );
  }

  close(): Promise<void> {
    this.client.destroy();
    return Promise.resolve();
  }

  private async ask<Reply>(
    milliseconds: number,
    request: (abortSignal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return await withTimeout(milliseconds, request);
    } catch (error) {
      if (isRefusal(error)) throw error;
      const { name, message } = error as Error;
      throw new FileStoreUnavailableError(
        `The bucket "${this.bucket}" cannot be used now: ${message || name}`,
        { cause: error },
      );
    }
  }

  private named(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: name };
  }
}

/** Whether the bucket refused the request, so that repeating it would not help. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return false;
  const { httpStatusCode: status = 500 } = error.$metadata;
  return status < 500 && status !== 429;
}
