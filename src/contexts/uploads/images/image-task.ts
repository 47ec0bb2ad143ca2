import type { ImageFacts } from '../../../markdown/media.js';

/** Makes a thumbnail. */
export interface DrawTask {
  readonly kind: 'draw';
  /** Whether all frames are wanted, or only the first. */
  readonly isAnimated: boolean;
  /** Whether it keeps its size. */
  readonly isWhole: boolean;
}

/** A task for a process that decodes images. */
export type ImageTask = { readonly kind: 'examine' } | DrawTask;

/** The properties of an image, and the thumbnail that messages show. */
export interface ExaminedImage {
  readonly facts: ImageFacts;
  /** WebP. */
  readonly thumbnail: Uint8Array;
}
