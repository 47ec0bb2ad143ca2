/** The messages that refer to uploads; implemented by the messages context. */
export abstract class UploadReferences {
  /**
   * Ids of the messages that refer to each of these uploads, in rising order, without a check of who may see
   * them.
   *
   * @param limit how many messages are named, of all uploads together: the newest
   */
  abstract referencesTo(
    uploadIds: readonly number[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly number[]>>;
  /** Those of these uploads that some message refers to, whoever may see it. */
  abstract referredTo(uploadIds: readonly number[]): Promise<ReadonlySet<number>>;
  /** Whether a person can see a message that refers to an upload. */
  abstract showUpload(userId: number, uploadId: number): Promise<boolean>;
}
