import type { OnModuleDestroy } from '@nestjs/common';
import { Piscina } from 'piscina';
import type { ExaminedImage, ImageTask } from './image-task.js';

/** Milliseconds after which the thread is terminated, if its own timeout did not stop the decoder. */
const TIMEOUT = 30_000;

/** Milliseconds of idleness after which the thread is terminated. */
const IDLE = 30_000;

/** A separate thread on which images are decoded, so that a decoder failure affects only its task. */
export class ImageThreads implements OnModuleDestroy {
  private readonly pool: Piscina;

  /** @param entry the module that the thread runs */
  constructor(entry = new URL('./image-thread.js', import.meta.url).href) {
    this.pool = new Piscina({
      filename: entry,
      name: 'perform',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE,
      recordTiming: false,
    });
  }

  /** Null: the bytes are not an image that can be shown, or decoding took too long. */
  examine(bytes: Uint8Array): Promise<ExaminedImage | null> {
    return this.run({ kind: 'examine', bytes });
  }

  /** An image as WebP; null when it cannot be shown. */
  draw(task: Omit<Extract<ImageTask, { readonly kind: 'draw' }>, 'kind'>): Promise<Uint8Array | null> {
    return this.run({ kind: 'draw', ...task });
  }

  async onModuleDestroy(): Promise<void> {
    await this.pool.destroy();
  }

  private async run<Result>(task: ImageTask): Promise<Result | null> {
    const timeout = AbortSignal.timeout(TIMEOUT * (1 + this.pool.queueSize));
    try {
      return (await this.pool.run(task, { signal: timeout })) as Result | null;
    } catch (error) {
      if (timeout.aborted) return null;
      throw error;
    }
  }
}
