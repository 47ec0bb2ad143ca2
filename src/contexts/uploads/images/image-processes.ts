import { fileURLToPath } from 'node:url';
import type { OnModuleDestroy } from '@nestjs/common';
import type { Logger } from '../../../http/monitoring/logger.js';
import { budgets } from '../../../kernel/budgets.js';
import type { TaskLimits } from '../../../runtime/serve-tasks.js';
import { TaskProcess } from '../../../runtime/task-process.js';
import type { DrawTask, ExaminedImage, ImageTask } from './image-task.js';

/** Milliseconds after which the process is killed, if its limits have not ended it: a decoder may hang without using the processor. */
const TIMEOUT = 60_000;

/** Milliseconds of idleness after which the process is ended. */
const IDLE = 30_000;

const limitsOfImage: TaskLimits = {
  seconds: budgets.examinedSeconds.max,
  bytes: budgets.examinedMemory.max,
};

interface ImageProcessesOptions {
  readonly logger: Pick<Logger, 'warn'>;
  /** File of the module that the processes run. */
  readonly entry?: string;
  readonly limits?: TaskLimits;
}

/**
 * Decodes images in processes of its own, so that a hostile image harms only its task: see
 * docs/adr/0040-images-are-decoded-in-processes-of-their-own.md. Thumbnails that somebody waits for do not wait for images that nobody has
 * examined yet.
 */
export class ImageProcesses implements OnModuleDestroy {
  private readonly examining: TaskProcess<ImageTask, ExaminedImage>;
  private readonly drawing: TaskProcess<ImageTask, Uint8Array>;

  constructor({
    logger,
    entry = fileURLToPath(new URL('./image-process.js', import.meta.url)),
    limits = limitsOfImage,
  }: ImageProcessesOptions) {
    const options = {
      entry,
      arguments: [String(limits.seconds), String(limits.bytes)],
      timeout: TIMEOUT,
      idle: IDLE,
      noteFailure: (reason: string) => logger.warn({ reason }, 'An image could not be decoded'),
    };
    this.examining = new TaskProcess(options);
    this.drawing = new TaskProcess(options);
  }

  /** Null: the bytes are not an image that can be shown, or decoding took too much. */
  examine(bytes: Uint8Array): Promise<ExaminedImage | null> {
    return this.examining.run({ kind: 'examine' }, bytes);
  }

  /** An image as WebP; null when it cannot be shown. */
  draw(bytes: Uint8Array, task: Omit<DrawTask, 'kind'>): Promise<Uint8Array | null> {
    return this.drawing.run({ kind: 'draw', ...task }, bytes);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.examining.close(), this.drawing.close()]);
  }
}
