import type { UploadDocument } from './read-model.js';

/** Uploads whose uploaders have a client in this process, with the messages that refer to them. */
export interface ReferredUploads {
  readonly uploads: readonly {
    readonly upload: UploadDocument;
    readonly messageIds: readonly number[];
  }[];
  /** Size of all uploads in bytes. */
  readonly spaceUsed: number;
}

/** The read models behind client events about uploads. */
export interface UploadModels {
  /** Those of the uploads whose uploaders have a client here. */
  referredUploads(ids: readonly number[]): Promise<ReferredUploads>;

  /** Ids of the uploads that a text names, without a check whether its writer could see them. */
  uploadsNamedIn(text: string): Promise<readonly number[]>;

  /** Size of all uploads in bytes. */
  uploadSpaceUsed(): Promise<number>;
}
