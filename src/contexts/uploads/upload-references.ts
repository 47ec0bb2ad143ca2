/** Which messages refer to files; implemented by the messages context. */
export abstract class UploadReferences {
  /** Ids of the messages that refer to each of these uploads, rising, whosoever they are. */
  abstract referencesTo(uploadIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Whether a person can see a message that refers to an upload. */
  abstract showUpload(userId: number, uploadId: number): Promise<boolean>;
}
