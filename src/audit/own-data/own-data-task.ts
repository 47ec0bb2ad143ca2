/** The input of a copy of somebody's own data: plain JSON, for a thread. */
export interface OwnDataInput {
  readonly kind: 'own-data';
  readonly userId: number;
  /** Account, settings, drafts and so on, as the API shows them: the text of a JSON object. */
  readonly records: string;
  /** Channels whose topics the person may read now. */
  readonly channelIds: readonly number[];
  /** Path of the copy. */
  readonly file: string;
}

/** A complete copy. */
export interface OwnDataResult {
  readonly bytes: number;
  /** SHA-256 digest of the whole file, hexadecimal. */
  readonly sha256: string;
  /** Their own messages, and direct messages to them. */
  readonly messages: number;
  readonly versions: number;
  /** Events about their account. */
  readonly events: number;
  readonly files: number;
  /** Their files that do not exist any more. */
  readonly missing_files: number;
  /** Events that cannot be read. The copy lacks their content. */
  readonly unreadable_events: number;
}
