import type { ImageFacts } from '../../../markdown/media.js';

/** What the thread that decodes images is asked to do. */
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

/** What an image is, and the thumbnail that messages show. */
export interface ExaminedImage {
  readonly facts: ImageFacts;
  /** WebP. */
  readonly thumbnail: Uint8Array;
}
