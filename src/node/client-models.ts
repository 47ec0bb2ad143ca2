import { Injectable } from '@nestjs/common';
import type { DirectConversations } from '../access/direct-conversations.js';
import type { ExportModels } from '../audit/exports/client-events.js';
import { foldedExports, type Exports } from '../audit/exports/exports.state.js';
import type { ActivePeople } from '../contexts/channels/active-people.js';
import type { ChannelListing } from '../contexts/channels/channel-listing.js';
import type { ChannelActivity } from '../contexts/channels/statistics.js';
import type { ChannelStateModels } from '../contexts/channels/client-models.js';
import type { Attention } from '../contexts/attention/attention.state.js';
import { BatchedCalls } from '../runtime/batched-calls.js';
import { budgets } from '../kernel/budgets.js';
import type { UploadedMedia } from '../markdown/media.js';
import type { Placements } from '../contexts/messages/placements.js';
import {
  FlagsOfConnectedPeople,
  type FlagsAudience,
} from '../contexts/messages/flags/flags-of-connected-people.js';
import type { IdRanges } from '../contexts/messages/flags/id-ranges.js';
import type { PersonalFlags } from '../contexts/messages/flags/flags.state.js';
import type { MessageModels } from '../contexts/messages/client-events/client-models.js';
import type { LocalEcho } from '../contexts/messages/sending/local-echoes.js';
import type {
  DeletionDocument,
  EditedText,
  MessageDocument,
  MessageEditDocument,
} from '../contexts/messages/message-document.js';
import type { MovedMessages } from '../contexts/messages/moves/moved-messages.js';
import type { CachedMessage } from '../contexts/messages/view/cached-message.js';
import type { SavedSnippetDocument, ScheduledMessageDocument } from '../contexts/personal/read-model.js';
import type { PersonalModels } from '../contexts/personal/client-events.js';
import type { PublicAddress } from '../http/public-address.js';
import type { OrganizationModels } from '../contexts/organization/initial-state.js';
import type { PresenceModels } from '../contexts/presence/client-events.js';
import type { Presence } from '../contexts/presence/presence.js';
import type { ReferredUploads } from '../contexts/uploads/client-events.js';
import { storageNamesIn } from '../contexts/uploads/upload-path.js';
import { BotKeys } from '../contexts/users/bot-keys.js';
import type { UserModels } from '../contexts/users/client-models.js';
import type { PersistedEvent } from '../stores/event-store/port.js';
import { ClientModelSources } from './client-model-sources.js';

const noUploads: ReferredUploads = { uploads: [], spaceUsed: 0 };

/**
 * The data from which the contexts make client events and initial states. Reads for events on the same page of the
 * log are batched.
 */
@Injectable()
export class ClientModels
  implements
    MessageModels,
    UserModels,
    PersonalModels,
    PresenceModels,
    OrganizationModels,
    ChannelStateModels,
    ExportModels
{
  private readonly messageBatch = new BatchedCalls<number, CachedMessage | null>((ids) =>
    this.readMessages(ids),
  );
  private readonly flags: FlagsOfConnectedPeople;
  private readonly botKeysIssued: BotKeys;
  readonly listing: ChannelListing;
  readonly activePeople: ActivePeople;
  readonly address: PublicAddress;

  constructor(private readonly sources: ClientModelSources) {
    const { queues, reader, credentials } = sources;
    this.flags = new FlagsOfConnectedPeople(queues, (userIds) => reader.flagsOfAll(userIds));
    this.botKeysIssued = new BotKeys(credentials);
    this.listing = sources.listing;
    this.activePeople = sources.activePeople;
    this.address = sources.address;
  }

  /** Whether the account has a live client in this process. For other accounts nothing has to be read. */
  hasClient(userId: number): boolean {
    return this.sources.queues.hasClient(userId);
  }

  /** The person's presence, whether or not others may see it; null: not present recently. */
  presence(userId: number): Presence | null {
    return this.sources.presences.of(userId);
  }

  /** A message, without a permission check; null: deleted. */
  async message(id: number): Promise<CachedMessage | null> {
    return (await this.messageBatch.call([id]))[0] ?? null;
  }

  /** The messages in the order of the ids, without deleted ones. */
  async messages(ids: readonly number[]): Promise<readonly CachedMessage[]> {
    return (await this.messageBatch.call(ids)).filter((message) => message !== null);
  }

  /** The stored data of the uploads. Uploads that messages may not show are left out. */
  media(uploadIds: readonly number[]): Promise<readonly UploadedMedia[]> {
    return this.sources.reader.media(uploadIds);
  }

  /** The newest messages that refer to an upload, oldest first, at most `limit`. */
  async messagesWith(uploadId: number, limit: number): Promise<readonly CachedMessage[]> {
    const references = await this.sources.reader.referencesTo([uploadId], limit);
    return this.messages(references.get(uploadId) ?? []);
  }

  /** The direct conversations in which any of these people has ever taken part. */
  directConversations(userIds: readonly number[]): Promise<DirectConversations> {
    return this.sources.reader.directConversations(userIds);
  }

  placements(): Promise<Placements> {
    return this.sources.reader.placements();
  }

  attention(userId: number): Promise<Attention> {
    return this.sources.attentionReader.of(userId);
  }

  /** The message flags of those of these people who have a client in this process; people who never set any are left out. */
  flagsOfListeners(among: FlagsAudience): Promise<ReadonlyMap<number, PersonalFlags>> {
    return this.flags.among(among);
  }

  /** To be called with the events of the log before they are mapped. */
  appended(events: readonly PersistedEvent[]): void {
    this.flags.appended(events);
  }

  /** The content that an edit of a message replaced; null: the message is deleted. */
  edit(messageId: number, eventId: string): Promise<MessageEditDocument | null> {
    return this.sources.reader.edit(messageId, eventId);
  }

  /** The text that an edit gave its message; null: the message is deleted. */
  textAfter(edit: MessageEditDocument): Promise<EditedText | null> {
    return this.sources.reader.textAfter(edit);
  }

  /** The people whose alert words a text contains now, whether or not they can see a message with it. */
  alertedBy(text: string): Promise<readonly number[]> {
    return this.sources.reader.alertedBy(text);
  }

  /** Messages in the channels and topics in which they were at a position of the log. */
  placedAt(messages: readonly MessageDocument[], position: number): Promise<readonly MessageDocument[]> {
    return this.sources.reader.placedAt(messages, position);
  }

  /** The channel or conversation of a deleted message. */
  deletion(messageId: number): Promise<DeletionDocument | null> {
    return this.sources.reader.deletion(messageId);
  }

  /** The result of a move, and the moved messages in ascending order; null: it moved none. */
  move(id: string): Promise<MovedMessages | null> {
    return this.sources.reader.moved(id);
  }

  /** The newest messages within ranges of ids that the person received, at most `limit`. */
  receivedWithin(userId: number, ranges: IdRanges, limit: number): Promise<readonly number[]> {
    return this.sources.reader.receivedWithin(userId, ranges, limit);
  }

  /** A message that is still scheduled; null: it is not scheduled any more. */
  scheduledMessage(userId: number, scheduledId: number): Promise<ScheduledMessageDocument | null> {
    return this.sources.personalReader.scheduledMessage(userId, scheduledId);
  }

  savedSnippet(userId: number, snippetId: number): Promise<SavedSnippetDocument | null> {
    return this.sources.personalReader.savedSnippet(userId, snippetId);
  }

  /** Names of the onboarding steps that a person has completed. */
  completedSteps(userId: number): Promise<readonly string[]> {
    return this.sources.personalReader.completedSteps(userId);
  }

  /** The keys of bots, by bot; the caller must check who may see them. Bots without a key are left out. */
  botKeys(botIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.sources.credentials.readableKeys(botIds);
  }

  /** Like {@link botKeys}; none when keys cannot be read: see {@link BotKeys}. */
  botKeysIfAvailable(botIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    return this.botKeysIssued.ifAvailable(botIds);
  }

  /** The token that identifies the requests of an outgoing webhook bot. */
  botServiceToken(botId: number): string {
    return this.sources.credentials.serviceToken(botId);
  }

  /** The key that a bot gets with an event of that time; null: there is none. */
  newBotKey(botId: number, since: number): Promise<string | null> {
    return this.botKeysIssued.issuedSince(botId, since);
  }

  /** Of these uploads, those whose uploaders have a client in this process, with the messages that refer to them. */
  async referredUploads(ids: readonly number[]): Promise<ReferredUploads> {
    if (ids.length === 0) return noUploads;
    const found = await this.sources.uploads.byIds(ids);
    const uploadsOfConnectedPeople = found.filter(({ uploaderId }) => this.hasClient(uploaderId));
    if (uploadsOfConnectedPeople.length === 0) return noUploads;
    const [references, spaceUsed] = await Promise.all([
      this.sources.reader.referencesTo(
        uploadsOfConnectedPeople.map(({ _id }) => _id),
        budgets.referencesOfEvent.max,
      ),
      this.uploadSpaceUsed(),
    ]);
    const uploads = uploadsOfConnectedPeople.map((upload) => ({
      upload,
      messageIds: references.get(upload._id) ?? [],
    }));
    return { uploads, spaceUsed };
  }

  /** Ids of the uploads that a text refers to, whether or not its author could see them. */
  async uploadsNamedIn(text: string): Promise<readonly number[]> {
    const named = await this.sources.uploads.byStorageNames(storageNamesIn(text));
    return named.map(({ _id }) => _id);
  }

  /** The total size of all uploads, in bytes. */
  uploadSpaceUsed(): Promise<number> {
    return this.sources.uploads.spaceUsed();
  }

  activities(channelIds: readonly number[]): Promise<ReadonlyMap<number, ChannelActivity>> {
    return this.sources.statistics.forChannels(channelIds);
  }

  /** The client's own id for a message that it sent through this process. */
  localName(commandId: string): LocalEcho | null {
    return this.sources.echoes.nameOf(commandId);
  }

  async exports(revision: number): Promise<Exports> {
    return (await this.sources.streams.loadThrough(foldedExports, revision)).state;
  }

  private async readMessages(ids: readonly number[]): Promise<readonly (CachedMessage | null)[]> {
    const found = await this.sources.reader.cached(ids);
    return ids.map((id) => found.get(id) ?? null);
  }
}
