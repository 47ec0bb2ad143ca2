import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { s3ClientConfiguration, type S3Access } from '../../../configuration/s3-access.js';
import { REPLY_TIMEOUT, uploadTimeout, withTimeout } from '../../../stores/file-store/s3/request-timeout.js';
import { BackupRefusedError } from '../manifest.js';
import { missing, type BackupPlace } from './place.js';

/** A folder in a bucket. */
interface BucketFolder {
  /** The address that the operator configured: `s3://bucket/folder`. */
  readonly address: string;
  readonly bucket: string;
  /** Without leading or trailing slashes; empty: the bucket's root. */
  readonly prefix: string;
  readonly access: S3Access;
}

/** Opens a place in a bucket, which must exist. */
export function openBucketPlace(folder: BucketFolder): BackupPlace {
  return new BucketPlace(folder, new S3Client(s3ClientConfiguration(folder.access)));
}

class BucketPlace implements BackupPlace {
  constructor(
    private readonly folder: BucketFolder,
    private readonly client: S3Client,
  ) {}

  get address(): string {
    return this.folder.address;
  }

  async put(name: string, file: string): Promise<void> {
    const { size } = await stat(file);
    const object = { ...this.named(name), Body: createReadStream(file), ContentLength: size };
    await this.told(uploadTimeout(size), (abortSignal) =>
      this.client.send(new PutObjectCommand(object), { abortSignal }),
    );
  }

  async read(name: string): Promise<Readable> {
    try {
      const { Body: body } = await withTimeout(REPLY_TIMEOUT, (abortSignal) =>
        this.client.send(new GetObjectCommand(this.named(name)), { abortSignal }),
      );
      return body as Readable;
    } catch (error) {
      if (error instanceof NoSuchKey) throw missing(this.address, name);
      throw this.unusable(error);
    }
  }

  async list(folder: string): Promise<readonly string[]> {
    const names: string[] = [];
    let token: string | undefined;
    do {
      const { Bucket, Key: prefix } = this.named(`${folder}/`);
      const request = { Bucket, Prefix: prefix, ...(token !== undefined && { ContinuationToken: token }) };
      const page = await this.told(REPLY_TIMEOUT, (abortSignal) =>
        this.client.send(new ListObjectsV2Command(request), { abortSignal }),
      );
      names.push(...(page.Contents ?? []).map(({ Key: key = '' }) => key.slice(this.named('').Key.length)));
      token = page.NextContinuationToken;
    } while (token !== undefined);
    return names;
  }

  async delete(name: string): Promise<void> {
    await this.told(REPLY_TIMEOUT, (abortSignal) =>
      this.client.send(new DeleteObjectCommand(this.named(name)), { abortSignal }),
    );
  }

  private named(name: string): { readonly Bucket: string; readonly Key: string } {
    const { bucket, prefix } = this.folder;
    return { Bucket: bucket, Key: prefix === '' ? name : `${prefix}/${name}` };
  }

  private async told<Reply>(
    milliseconds: number,
    ask: (abortSignal: AbortSignal) => Promise<Reply>,
  ): Promise<Reply> {
    try {
      return await withTimeout(milliseconds, ask);
    } catch (error) {
      throw this.unusable(error);
    }
  }

  private unusable(error: unknown): BackupRefusedError {
    const { name, message } = error as Error;
    return new BackupRefusedError(
      `${this.address} cannot be used (${message || name}): see BACKUP_TO, S3_ENDPOINT, S3_REGION and the access keys.`,
    );
  }
}
