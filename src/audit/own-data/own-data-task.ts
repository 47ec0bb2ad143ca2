/** What a copy of somebody's own data is made of: plain JSON, for a thread. */
export interface OwnDataInput {
  readonly kind: 'own-data';
  readonly userId: number;
  /** Account, settings, drafts and so on, as the API tells them: the text of a JSON object. */
  readonly records: string;
  /** Channels whose topics they may read, as of now. */
  readonly channelIds: readonly number[];
  /** Where the copy is to be: a path. */
  readonly file: string;
}

/** A copy that was made. */
export interface OwnDataResult {
  readonly bytes: number;
  /** Of the whole file, hexadecimal. */
  readonly sha256: string;
  /** Their own, and direct messages to them. */
  readonly messages: number;
  readonly versions: number;
  /** What happened to their account. */
  readonly events: number;
  readonly files: number;
  /** Files of theirs that are not there any more. */
  readonly missing_files: number;
  /** Events that cannot be read: what they say is not in it. */
  readonly unreadable_events: number;
}
