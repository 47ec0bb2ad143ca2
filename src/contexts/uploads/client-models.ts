import type { UploadDocument } from './read-model.js';

/** Uploads whose uploaders have a client in this process, with the messages that refer to them. */
export interface ReferredUploads {
  readonly uploads: readonly {
    readonly upload: UploadDocument;
    readonly messageIds: readonly number[];
  }[];
  /** Bytes that the uploads of everyone take. */
  readonly spaceUsed: number;
}

/** What tells clients of uploads. */
export interface UploadModels {
  /** Those of some uploads whose uploaders have a client here. */
  referredUploads(ids: readonly number[]): Promise<ReferredUploads>;

  /** Ids of the uploads that a text names, whether or not its writer could see them. */
  uploadsNamedIn(text: string): Promise<readonly number[]>;

  /** Bytes of everyone's uploads. */
  uploadSpaceUsed(): Promise<number>;
}
