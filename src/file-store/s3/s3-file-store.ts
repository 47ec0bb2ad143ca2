import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { FileMissingError, type ByteRange, type FileStore } from '../port.js';
import { StagingArea } from '../staging-area.js';

/** Where a store that speaks S3's protocol is, and how it lets this server in. */
export interface S3Options {
  /** Null: Amazon's own address of the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Null: the client's own search of environment, files and instance. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  readonly stagingDirectory: string;
}

/** Opens a file store in a bucket that exists. */
export async function openS3FileStore(options: S3Options): Promise<FileStore> {
  const staging = await StagingArea.open(options.stagingDirectory);
  return new S3FileStore(new S3Client(clientConfiguration(options)), options.bucket, staging);
}

/** Stores of other makers are addressed by path, and know no checksums of Amazon's own. */
function clientConfiguration({ endpoint, region, credentials }: S3Options): S3ClientConfig {
  return {
    region,
    ...(endpoint !== null && { endpoint, forcePathStyle: true }),
    ...(credentials !== null && { credentials }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  };
}

class S3FileStore implements FileStore {
  constructor(
    private readonly client: S3Client,
    private readonly bucket: string,
    private readonly staging: StagingArea,
  ) {}

  /** The protocol wants the length beforehand, so that the content waits on the disk until all of it is there. */
  async put(name: string, content: Readable): Promise<void> {
    await this.staging.hold(content, async (file) => {
      const { size } = await stat(file);
      const object = { ...this.named(name), Body: createReadStream(file), ContentLength: size };
      await this.client.send(new PutObjectCommand(object));
    });
  }

  async read(name: string, { from, through }: ByteRange): Promise<Readable> {
    try {
      const object = { ...this.named(name), Range: `bytes=${from}-${through}` };
      const { Body: body } = await this.client.send(new GetObjectCommand(object));
      return body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) throw new FileMissingError(name);
      throw error;
    }
  }

  async delete(name: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.named(name)));
  }

  close(): Promise<void> {
    this.client.destroy();
    return Promise.resolve();
  }

  private named(name: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.bucket, Key: name };
  }
}
