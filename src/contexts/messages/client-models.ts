import type { Listeners } from '../../realtime/mapper.js';
import type { AttentionModels } from '../attention/client-models.js';
import type { ChannelModels } from '../channels/client-models.js';
import type { AcquaintanceModels } from '../users/client-models.js';
import type { UploadModels } from '../uploads/client-models.js';
import type { UploadedMedia } from '../../markdown/media.js';
import type { Arrivals } from './arrivals.js';
import type { IdRanges } from './flags/id-ranges.js';
import type { PersonalFlags } from './flags/flags.state.js';
import type { LocalName } from './local-echoes.js';
import type { DeletionDocument, MessageEditDocument } from './message-document.js';
import type { MovedMessages } from './message-reader.js';
import type { CachedMessage } from './view/cached-message.js';

/** What tells clients of messages. What is asked for by events of one page of the log is read together. */
export interface MessageModels
  extends Listeners, AttentionModels, ChannelModels, UploadModels, AcquaintanceModels {
  /** A message, whoever may see it; null when it is gone. */
  message(id: number): Promise<CachedMessage | null>;

  /** What is known of these uploads, of those that messages may show. */
  media(uploadIds: readonly number[]): Promise<readonly UploadedMedia[]>;

  /** The newest messages that refer to an upload, rising, at most so many. */
  messagesWith(uploadId: number, limit: number): Promise<readonly CachedMessage[]>;

  /** In the order of the ids, those that are gone left out. */
  messages(ids: readonly number[]): Promise<readonly CachedMessage[]>;

  /** Whose copy of which messages came when. */
  arrivals(): Promise<Arrivals>;

  /** What everyone with a client here marked messages with; who never did is left out. */
  flagsOfListeners(): Promise<ReadonlyMap<number, PersonalFlags>>;

  /** What one edit of a message replaced; null when the message is gone. */
  edit(messageId: number, eventId: string): Promise<MessageEditDocument | null>;

  /** Where a deleted message lay. */
  deletion(messageId: number): Promise<DeletionDocument | null>;

  /** What a move came to, and the messages that it moved, rising; null when it moved none. */
  move(id: string): Promise<MovedMessages | null>;

  /** Which messages reached the person, of those within stretches of ids; at most so many. */
  receivedWithin(userId: number, ranges: IdRanges, limit: number): Promise<readonly number[]>;

  /** What the client that sent a message through this process calls it. */
  localName(commandId: string): LocalName | null;
}
