import type { ImageFacts } from '../../../markdown/media.js';

/** A task for the thread that decodes images. */
export type ImageTask =
  | { readonly kind: 'examine'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'draw';
      readonly bytes: Uint8Array;
      /** Whether all frames are wanted, or only the first. */
      readonly isAnimated: boolean;
      /** Whether it keeps its size. */
      readonly isWhole: boolean;
    };

/** The properties of an image, and the thumbnail that messages show. */
export interface ExaminedImage {
  readonly facts: ImageFacts;
  /** WebP. */
  readonly thumbnail: Uint8Array;
}
