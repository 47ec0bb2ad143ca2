import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { budgets } from '../../../kernel/budgets.js';
import { thumbnailNames, transcodedName, type ImageFacts } from '../../../markdown/media.js';
import { FairLimit } from '../../../runtime/fair-limit.js';
import { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import type { UploadDocument } from '../read-model.js';
import { ImageProcesses } from './image-processes.js';

const MEBIBYTE = 1_048_576;

/** Bytes of thumbnails that a process caches. */
const MAX_CACHE_BYTES = 64 * MEBIBYTE;

/** A thumbnail of an upload. */
interface Thumbnail {
  /** A name of {@link thumbnailNames}, or that of the whole image in another format. */
  readonly name: string;
  /** WebP. */
  readonly bytes: Uint8Array;
}

/**
 * Thumbnails of uploads. They are only cached in memory and rebuilt when they are missing, so that none
 * outlives the file, or the key, that it was made with.
 */
@Injectable()
export class Thumbnails {
  private readonly kept = new LRUCache<string, Uint8Array>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  });
  private readonly making = new Map<string, Promise<Uint8Array | null>>();
  /** One file is read while another one is being decoded; those that wait are not read yet. */
  private readonly limit = new FairLimit<number>({
    atOnce: 2,
    waiting: budgets.thumbnailsWaiting,
    waitingOfRequester: budgets.thumbnailsWaitingOfPerson,
  });

  constructor(
    private readonly processes: ImageProcesses,
    private readonly files: EncryptedFiles,
  ) {}

  /** Examines an upload, and caches its thumbnail; null: it is not an image that can be shown. */
  async examine(upload: UploadDocument): Promise<ImageFacts | null> {
    const bytes = await this.bytesOf(upload);
    const examined = bytes === null ? null : await this.processes.examine(bytes);
    if (examined === null) return null;
    const name = examined.facts.isAnimated ? thumbnailNames.animated : thumbnailNames.still;
    this.kept.set(keyOf(upload, name), examined.thumbnail);
    return examined.facts;
  }

  /**
   * The thumbnail with a name, or the nearest one that the image has; null: there is none.
   *
   * @param userId who asks: people take turns
   * @throws ApplicationError `unavailable` when too many are being made
   */
  async find(upload: UploadDocument, wanted: string, userId: number): Promise<Thumbnail | null> {
    const name = upload.image === null ? null : nearestName(wanted, upload.image);
    if (name === null || (await this.files.isErased(upload))) return null;
    const key = keyOf(upload, name);
    // Concurrent requests share one task.
    const bytes = this.kept.get(key) ?? (await (this.making.get(key) ?? this.make(upload, name, userId)));
    return bytes === null ? null : { name, bytes };
  }

  private make(upload: UploadDocument, name: string, userId: number): Promise<Uint8Array | null> {
    const key = keyOf(upload, name);
    const made = this.limit
      .runFor(userId, () => this.draw(upload, name))
      .finally(() => this.making.delete(key));
    this.making.set(key, made);
    return made;
  }

  private async draw(upload: UploadDocument, name: string): Promise<Uint8Array | null> {
    const bytes = await this.bytesOf(upload);
    if (bytes === null) return null;
    const isAnimated = name === thumbnailNames.animated;
    const isWhole = name !== thumbnailNames.animated && name !== thumbnailNames.still;
    const drawn = await this.processes.draw(bytes, { isAnimated, isWhole });
    if (drawn !== null) this.kept.set(keyOf(upload, name), drawn);
    return drawn;
  }

  /** Null: it is too large to decode, erased or gone. */
  private async bytesOf({ storageName, contentKey, size }: UploadDocument): Promise<Uint8Array | null> {
    if (size === 0 || size > budgets.examinedMebibytes.max * MEBIBYTE) return null;
    const content = await this.files.openExisting({ name: storageName, contentKey, size }, null);
    return content === null ? null : await buffer(content);
  }
}

function keyOf({ storageName }: UploadDocument, name: string): string {
  return `${storageName}/${name}`;
}

const wellFormedName = /^\d{1,5}x(\d{1,5})(-anim)?\.[a-z]{3,4}$/;

/** A name that the image has is preferred; else animation decides. Null: there is no such name. */
export function nearestName(wanted: string, image: ImageFacts): string | null {
  const match = wellFormedName.exec(wanted);
  if (match === null) return null;
  if (image.isTranscoded && wanted === transcodedName(image)) return wanted;
  return match[2] !== undefined && image.isAnimated ? thumbnailNames.animated : thumbnailNames.still;
}
