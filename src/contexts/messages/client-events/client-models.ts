import type { ConnectedAccounts } from '../../../realtime/mapper.js';
import type { AttentionModels } from '../../attention/client-events.js';
import type { ChannelModels } from '../../channels/client-models.js';
import type { AcquaintanceModels } from '../../users/client-models.js';
import type { UploadModels } from '../../uploads/client-events.js';
import type { UploadedMedia } from '../../../markdown/media.js';
import type { Placements } from '../placements.js';
import type { IdRanges } from '../flags/id-ranges.js';
import type { PersonalFlags } from '../flags/flags.state.js';
import type { LocalEcho } from '../sending/local-echoes.js';
import type {
  DeletionDocument,
  EditedText,
  MessageDocument,
  MessageEditDocument,
} from '../message-document.js';
import type { MovedMessages } from '../moves/moved-messages.js';
import type { CachedMessage } from '../view/cached-message.js';

/**
 * The read models that the client events of messages read. Reads for the events of one page of the log are
 * batched.
 */
export interface MessageModels
  extends ConnectedAccounts, AttentionModels, ChannelModels, UploadModels, AcquaintanceModels {
  /** A message, without a check of who may see it; null when it is gone. */
  message(id: number): Promise<CachedMessage | null>;

  /** What is known about these uploads; uploads that messages cannot show are left out. */
  media(uploadIds: readonly number[]): Promise<readonly UploadedMedia[]>;

  /** The newest messages that refer to an upload, in rising order, at most `limit`. */
  messagesWith(uploadId: number, limit: number): Promise<readonly CachedMessage[]>;

  /** Messages in the order of the ids, without those that are gone. */
  messages(ids: readonly number[]): Promise<readonly CachedMessage[]>;

  /** The placements of all moved messages. */
  placements(): Promise<Placements>;

  /**
   * The flags of those of these people who have a client in this process; people who never set a flag are left
   * out.
   */
  flagsOfListeners(among: readonly number[] | 'everyone'): Promise<ReadonlyMap<number, PersonalFlags>>;

  /** What one edit of a message replaced; null when the message is gone. */
  edit(messageId: number, eventId: string): Promise<MessageEditDocument | null>;

  /** The text that an edit gave its message, which may have been edited again since; null when the message is gone. */
  textAfter(edit: MessageEditDocument): Promise<EditedText | null>;

  /** The people whose alert words a text contains now, whether or not they can see a message with it. */
  alertedBy(text: string): Promise<readonly number[]>;

  /** Messages where they lay at a position of the log, in the order in which they are given. */
  placedAt(messages: readonly MessageDocument[], position: number): Promise<readonly MessageDocument[]>;

  /** Where a deleted message lay. */
  deletion(messageId: number): Promise<DeletionDocument | null>;

  /** A move and the messages that it moved, in rising order; null when it moved none. */
  move(id: string): Promise<MovedMessages | null>;

  /** Ids of the newest messages within these ranges that reached the person, in rising order, at most `limit`. */
  receivedWithin(userId: number, ranges: IdRanges, limit: number): Promise<readonly number[]>;

  /** The id that the client that sent a message through this process gave it. */
  localName(commandId: string): LocalEcho | null;
}
