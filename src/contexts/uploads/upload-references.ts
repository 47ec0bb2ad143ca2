/** The messages that refer to uploads; implemented by the messages context. */
export abstract class UploadReferences {
  /**
   * Ids of the messages that refer to each of these uploads, in rising order, without a check of who may see
   * them.
   */
  abstract referencesTo(uploadIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Whether a person can see a message that refers to an upload. */
  abstract showUpload(userId: number, uploadId: number): Promise<boolean>;
}
