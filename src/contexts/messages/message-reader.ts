import { messagesModel } from './read-model.js';
import { AttentionReader } from '../attention/attention-reader.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import type { DirectConversations } from '../../access/direct-conversations.js';
import type { Snapshot } from '../../access/snapshot.js';
import { EmailLookup } from '../../access/email-lookup.js';
import { userOfHiddenEmail } from '../../access/email-visibility.js';
import { KnownPeople, type ConversationLookup } from '../../access/known-people.js';
import type { Caller } from '../../http/caller.js';
import { failure } from '../../kernel/errors.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import type { ModelStore } from '../../stores/read-store/port.js';
import { ServingModels } from '../../stores/read-store/serving-models.js';
import { SystemClock } from '../../runtime/system-clock.js';
import { topicLinksIn } from '../../markdown/inline/channel-link.js';
import type { Recipient } from '../../events/messages.js';
import { hasId, type IdRanges } from './flags/id-ranges.js';
import { FlagsReader } from './flags/flags-reader.js';
import type { PersonalFlagsDocument } from './flags/flags.state.js';
import {
  editDocumentId,
  textBefore,
  type DeletionDocument,
  type EditedText,
  type MediaDocument,
  type MessageDocument,
  type MessageEditDocument,
} from './message-document.js';
import type { MutersDocument } from './conversation-documents.js';
import type { MoveDocument } from './moves/move-documents.js';
import { messagesPlacedAt, readMovedMessages, type MovedMessages } from './moves/moved-messages.js';
import { everReceivedWithin } from './narrow/sources.js';
import { newestInLinkedTopics } from './sending/linked-topics.js';
import {
  alertedNow,
  directConversations,
  isNewConversation,
  participantsIn,
  placesBelow,
  referencesTo,
  referredTo,
} from './message-lookups.js';
import { QuerySession } from './query-session.js';
import type { FoundMessage } from './narrow/compiled-narrow.js';
import { Placements, type Placement } from './placements.js';
import type { CachedMessage } from './view/cached-message.js';
import { MessageCache } from './view/message-cache.js';

/** The read model of messages: opens query sessions, and answers look-ups that need no session. */
@Injectable()
export class MessageReader implements ConversationLookup {
  /** Finds out which people may know each other. */
  readonly people = new KnownPeople(this);
  /** Holds texts. It is replaced when they are forgotten, and with it goes what others attached to it. */
  cache = new MessageCache();
  private readonly flags: FlagsReader;
  private placementCache: { readonly version: number; readonly known: Placements } | null = null;

  constructor(
    private readonly models: ServingModels,
    private readonly follower: DirectoryFollower,
    private readonly emails: EmailLookup,
    private readonly clock: SystemClock,
    private readonly attention: AttentionReader,
  ) {
    this.flags = new FlagsReader(models);
  }

  /** Opens a query session for a person, as of now. */
  async open(caller: Pick<Caller, 'userId'>): Promise<QuerySession> {
    const snapshot: Snapshot = { directory: this.follower.current(), now: this.clock.now() };
    const user = snapshot.directory.user(caller.userId);
    if (user === null) throw failure('invalidApiKey');
    const [model, { flags, revision }, attention, knows] = await Promise.all([
      this.model(),
      this.flags.of(user.id),
      this.attention.of(user.id),
      this.people.predicateFor(user, snapshot),
    ]);
    // Clients get the made-up address of a hidden person with that person's messages: looking it up reveals nothing.
    const userByEmail = (email: string): typeof user | null => {
      const found = this.emails.findFor(user, snapshot.directory, email);
      return found === null || knows(found) || userOfHiddenEmail(snapshot.directory, email) ? found : null;
    };
    const placements = await this.placementsIn(model);
    const context = { snapshot, user, placements, userByEmail, flags, attention, knows };
    return new QuerySession(model, context, this.cache, revision);
  }

  /** The flags of each of these people; those who never marked a message are left out. */
  flagsOfAll(userIds: readonly number[]): Promise<ReadonlyMap<number, PersonalFlagsDocument>> {
    return this.flags.ofAll(userIds);
  }

  /** Ids of the people who mute a person. */
  async mutersOf(userId: number): Promise<readonly number[]> {
    const muters = (await this.model()).collection<MutersDocument>('muters');
    return (await muters.findOne({ _id: userId }))?.userIds ?? [];
  }

  /** The direct conversations in which any of these people ever took part. */
  async directConversations(userIds: readonly number[]): Promise<DirectConversations> {
    return directConversations(await this.model(), userIds);
  }

  /** Whether no message exists in the topic or the conversation. */
  async isNewConversation(recipient: Recipient): Promise<boolean> {
    return isNewConversation(await this.model(), recipient);
  }

  /**
   * Ids of the people who wrote in the topic that a text mentions as a whole, or reacted to one of its last
   * 1000 messages, in rising order; empty when the text mentions no whole topic.
   */
  async participantsIn(recipient: Recipient, text: string): Promise<readonly number[]> {
    return participantsIn(() => this.model(), recipient, text);
  }

  /**
   * What links of a text to topics need, see {@link newestInLinkedTopics}; nothing is looked up for a text
   * without such links.
   */
  async linkedTopics(text: string, caller: Pick<Caller, 'userId'>): Promise<ReadonlyMap<string, number>> {
    if (topicLinksIn(text).length === 0) return new Map();
    return newestInLinkedTopics(text, await this.open(caller));
  }

  /** The newest messages that refer to any of these uploads, whoever may see them: by upload, in rising order. */
  async referencesTo(
    uploadIds: readonly number[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly number[]>> {
    return uploadIds.length === 0 ? new Map() : referencesTo(await this.model(), uploadIds, limit);
  }

  /** Those of these uploads that some message refers to, whoever may see it. */
  async referredTo(uploadIds: readonly number[]): Promise<ReadonlySet<number>> {
    return uploadIds.length === 0 ? new Set() : referredTo(await this.model(), uploadIds);
  }

  /** Whether a person can see a message that refers to an upload. */
  async showUpload(userId: number, uploadId: number): Promise<boolean> {
    return (await this.open({ userId })).seesUpload(uploadId);
  }

  /** What is known about these uploads; uploads that messages cannot show are left out. */
  async media(uploadIds: readonly number[]): Promise<readonly MediaDocument[]> {
    if (uploadIds.length === 0) return [];
    const media = (await this.model()).collection<MediaDocument>('media');
    return media.find({ _id: { $in: [...uploadIds] } });
  }

  /** Reads only placements that are not known yet: known ones never change. */
  private async placementsIn(model: ModelStore): Promise<Placements> {
    if (this.placementCache?.version !== model.version) {
      this.placementCache = { version: model.version, known: new Placements() };
    }
    const { known } = this.placementCache;
    known.add(
      await model.collection<Placement>('arrivals').find({ _id: { $gt: known.last } }, { sort: { _id: 1 } }),
    );
    return known;
  }

  /** These messages, without a check of who may see them; those that do not exist are left out. */
  async cached(ids: readonly number[]): Promise<ReadonlyMap<number, CachedMessage>> {
    if (ids.length === 0) return new Map();
    const filter = { _id: { $in: [...new Set(ids)] } };
    const page = await this.cache.page(await this.model(), { filter, sort: { _id: 1 }, limit: ids.length });
    return new Map(page.map((message) => [message.document._id, message]));
  }

  /** What one edit of a message replaced. */
  async edit(messageId: number, eventId: string): Promise<MessageEditDocument | null> {
    const edits = (await this.model()).collection<MessageEditDocument>('message_edits');
    return (await edits.find({ messageId, eventId }, { limit: 1 }))[0] ?? null;
  }

  /** Where a deleted message lay. */
  async deletion(messageId: number): Promise<DeletionDocument | null> {
    return (await this.model()).collection<DeletionDocument>('deletions').findOne({ _id: messageId });
  }

  /** The text that one edit of a message gave it; null when the message is gone. */
  async textAfter({ messageId, number }: MessageEditDocument): Promise<EditedText | null> {
    const edits = (await this.model()).collection<MessageEditDocument>('message_edits');
    const next = await edits.findOne({ _id: editDocumentId(messageId, number + 1) });
    if (next !== null) return textBefore(next);
    return (await this.cached([messageId])).get(messageId)?.document ?? null;
  }

  /** See {@link alertedNow}. */
  async alertedBy(text: string): Promise<readonly number[]> {
    return alertedNow(await this.model(), text);
  }

  /** A move with its messages; null when it moved nothing. */
  async moved(id: string): Promise<MovedMessages | null> {
    const model = await this.model();
    const move = await model.collection<MoveDocument>('moves').findOne({ _id: id });
    return move && readMovedMessages({ model, placements: () => this.placementsIn(model) }, move);
  }

  /** Messages where they lay at a position of the log, in the order in which they are given. */
  async placedAt(
    messages: readonly MessageDocument[],
    position: number,
  ): Promise<readonly MessageDocument[]> {
    const model = await this.model();
    return messagesPlacedAt({ model, placements: () => this.placementsIn(model) }, messages, position);
  }

  /**
   * Ids of the newest messages within these ranges that ever reached the person, in rising order, at most
   * `limit`.
   */
  async receivedWithin(userId: number, ranges: IdRanges, limit: number): Promise<readonly number[]> {
    const session = await this.open({ userId });
    const narrow = everReceivedWithin(session.context, ranges);
    const window = { from: 1, to: ranges.at(-1)?.through ?? 0 };
    const found = await session.search.findPlaces(narrow, { window, order: -1, limit });
    return found.flatMap(({ _id }) => (hasId(ranges, _id) ? [_id] : [])).reverse();
  }

  /** Where the newest messages of a channel below an id lie, newest first, without a check of who may see them. */
  async placesBelow(channelId: number, id: number, limit: number): Promise<readonly FoundMessage[]> {
    return placesBelow(await this.model(), { channelId, id }, limit);
  }

  /** The placements of moved messages, as of now. */
  async placements(): Promise<Placements> {
    return this.placementsIn(await this.model());
  }

  /** Called when keys were destroyed. */
  forgetTexts(): void {
    this.cache = new MessageCache();
  }

  model(): Promise<ModelStore> {
    return this.models.get(messagesModel.name, messagesModel.collections);
  }
}
