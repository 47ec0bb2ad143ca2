import type { Snapshot } from '../../../access/snapshot.js';
import type { User } from '../../../access/records/user.js';
import { messageAccess } from '../../../contexts/messages/access.js';
import type { MoveDocument } from '../../../contexts/messages/moves/move-documents.js';
import { MESSAGES_STREAM } from '../../../events/messages.js';
import { idAtRevision } from '../../../kernel/ids.js';
import { failure } from '../../../kernel/errors.js';
import type { EventStore } from '../../../stores/event-store/port.js';
import type { ModelStore } from '../../../stores/read-store/port.js';
import { messagesProjection } from '../../../../projections/messages.projection.js';
import type { PastMoment } from '../../moment.js';
import type { PastSources } from '../past-sources.js';
import { eventBefore } from '../../log-index/event-before.js';
import { lastEventAt } from '../position-at.js';
import {
  isIn,
  placementAt,
  type Conversation,
  type MoveRecords,
  type Placement,
  type StoredMessage,
} from './conversation.js';

/** How somebody could see a message: it was delivered to them, or they could read it in the history of the channel. */
export type PastVisibility = 'received' | 'historical';

/** What a {@link PastConversationView} shows, and to whom. */
interface PastConversationOptions {
  readonly model: ModelStore;
  readonly conversation: Conversation;
  readonly at: ResolvedMoment;
  readonly placements: MoveRecords['placements'];
  /** Null: the conversation is shown as a whole. */
  readonly viewpoint: { readonly snapshot: Snapshot; readonly user: User | null } | null;
}

/** A conversation at a position, as one person could see it, or as a whole. */
export class PastConversationView {
  readonly model: ModelStore;
  readonly conversation: Conversation;
  readonly at: ResolvedMoment;
  private readonly placements: PastConversationOptions['placements'];
  private readonly viewpoint: PastConversationOptions['viewpoint'];
  private readonly moves = new Map<string, MoveDocument>();

  constructor({ model, conversation, at, placements, viewpoint }: PastConversationOptions) {
    this.model = model;
    this.conversation = conversation;
    this.at = at;
    this.placements = placements;
    this.viewpoint = viewpoint;
  }

  /** Whether the account of the viewer existed and was active; null: there is no viewer. */
  get viewer(): 'active' | 'deactivated' | 'absent' | null {
    if (this.viewpoint === null) return null;
    const { user } = this.viewpoint;
    return user === null ? 'absent' : user.isActive ? 'active' : 'deactivated';
  }

  /** Id of the viewer; null: there is no viewer, or they had no account. */
  get viewerId(): number | null {
    return this.viewpoint?.user?.id ?? null;
  }

  /** Loads the moves of messages, which the other methods need to answer questions about them. */
  async know(messages: readonly StoredMessage[]): Promise<void> {
    const keys = [...new Set(messages.flatMap(({ moves }) => moves))].filter((key) => !this.moves.has(key));
    for (let from = 0; from < keys.length; from += KEYS_AT_ONCE) {
      const filter = { _id: { $in: keys.slice(from, from + KEYS_AT_ONCE) } };
      for (const move of await this.model.collection<MoveDocument>('moves').find(filter))
        this.moves.set(move._id, move);
    }
  }

  /** Where a message was, if it was in the conversation and visible; null: it was not. */
  find(message: StoredMessage): { readonly place: Placement; readonly sight: PastVisibility | null } | null {
    const { position, lastMessageId } = this.at;
    if (message._id > lastMessageId) return null;
    if (message.deletedAt !== null && message.deletedAt <= position) return null;
    const place = this.placeAt(message, position);
    if (!isIn(place, this.conversation)) return null;
    if (this.viewpoint === null) return { place, sight: null };
    const sight = this.visibilityOf(message, place);
    return sight === 'none' ? null : { place, sight };
  }

  /** Where a message was at some position, inside or outside the conversation. */
  placeAt(message: StoredMessage, position: number): Placement {
    return placementAt(message, position, { moves: this.moves, placements: this.placements });
  }

  /**
   * How a message was visible that was sent to the conversation, was not given to a bot and was not changed or moved
   * since. 'none': it was not visible, or not sent yet. Null: there is no viewer.
   */
  visibilityOfUnchanged(_id: number): PastVisibility | null | 'none' {
    if (_id > this.at.lastMessageId) return 'none';
    if (this.viewpoint === null) return null;
    const { conversation } = this;
    const isDirect = conversation.type === 'direct';
    const channelId = isDirect ? null : conversation.channelId;
    const participantIds = isDirect ? conversation.userIds : null;
    return this.visibilityOf({ _id, participantIds, givenToIds: [] }, { channelId, arrival: 0 });
  }

  /**
   * The ids at which the result of {@link visibilityOfUnchanged} may change. It is the same for all ids after one bound, up
   * to and including the next.
   */
  get visibilityBounds(): readonly number[] {
    const { conversation } = this;
    if (conversation.type === 'direct' || !this.viewpoint?.user) return [];
    const { snapshot, user } = this.viewpoint;
    const subscription = snapshot.directory.subscription(conversation.channelId, user.id);
    return (subscription?.periods ?? []).flatMap(({ after, through }) => [after, through ?? []].flat());
  }

  private visibilityOf(
    { _id, participantIds, givenToIds }: Pick<StoredMessage, '_id' | 'participantIds' | 'givenToIds'>,
    place: Pick<Placement, 'channelId' | 'arrival'>,
  ): PastVisibility | 'none' {
    const { snapshot, user } = this.viewpoint!;
    if (user?.isActive !== true) return 'none';
    const { channelId, arrival } = place;
    const viewer = { snapshot, user, placements: this.placements };
    return messageAccess(viewer, { _id, channelId, arrival, participantIds, givenToIds });
  }
}

/** One conversation at two moments, for the same viewer. */
export interface ComparedViews {
  readonly before: PastConversationView;
  readonly after: PastConversationView;
}

const KEYS_AT_ONCE = 500;

/** A moment in the past. */
export interface ResolvedMoment {
  /** Position of the last event of that time. */
  readonly position: number;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
  /** 0: no message was sent before. */
  readonly lastMessageId: number;
}

/**
 * Finds a moment in the log. A moment after the end of the log becomes its end.
 *
 * @throws ApplicationError `beforeLog`
 */
export async function resolveMoment(
  { log: { store }, index, deadline }: PastSources,
  moment: PastMoment,
): Promise<ResolvedMoment> {
  const opened = await index.open();
  const after = opened === null ? null : await eventBefore(opened.model, moment);
  const last = await lastEventAt(store, moment, { after, onProgress: () => deadline.throwIfOver() });
  if (last === null) throw failure('beforeLog');
  const head = await store.head();
  const isEnd = last.position >= (head ?? 0);
  const position = 'position' in moment ? Math.min(moment.position, head ?? 0) : last.position;
  const now = 'time' in moment && !isEnd ? moment.time : last.at;
  return { position, now, lastMessageId: await lastMessageAt(store, position) };
}

/** Id of the last message that was sent at a position or before. */
export async function lastMessageAt(store: EventStore, position: number): Promise<number> {
  const [last] = await store.readStream(MESSAGES_STREAM, { direction: 'backwards', limit: 1 });
  if (last === undefined || last.position <= position) return idAtRevision(last?.revision ?? -1);
  let [low, high] = [0, last.revision];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = await store.readStream(MESSAGES_STREAM, { from: middle, limit: 1 });
    if (event !== undefined && event.position <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Opens a conversation as of a moment in the past.
 *
 * @param viewerId whose permissions of that time apply; null: everything is visible
 * @throws ApplicationError `unavailable` while the read model has not reached that moment
 */
export async function openPastConversation(
  sources: PastSources,
  {
    conversation,
    at,
    viewerId,
  }: { readonly conversation: Conversation; readonly at: ResolvedMoment; readonly viewerId: number | null },
): Promise<PastConversationView> {
  const model = await sources.messages.model();
  await assertFollowed(sources, model, at.position);
  const placements = await sources.messages.placements();
  const seen = { model, conversation, at, placements };
  if (viewerId === null) return new PastConversationView({ ...seen, viewpoint: null });
  const { directory } = await sources.permissions.at(at.position, sources.deadline);
  const viewpoint = { snapshot: { directory, now: at.now }, user: directory.user(viewerId) };
  return new PastConversationView({ ...seen, viewpoint });
}

const modelTypes = Object.keys(messagesProjection.on);

/** @throws ApplicationError `unavailable` while the read model has not reached a position */
export async function assertFollowed(
  sources: PastSources,
  model: ModelStore,
  position: number,
): Promise<void> {
  if (!(await hasFollowed(sources, model, position))) throw failure('unavailable');
}

/** Whether the read model of messages has reached a position. */
export async function hasFollowed(
  { log, deadline }: Pick<PastSources, 'log' | 'deadline'>,
  model: ModelStore,
  position: number,
): Promise<boolean> {
  const { position: after } = await model.checkpoint();
  if (after !== null && after >= position) return true;
  for await (const page of log.store.readAll({ after, types: modelTypes })) {
    deadline.throwIfOver();
    if (page.events.some((event) => event.position <= position)) return false;
    if (page.position >= position) return true;
  }
  return true;
}
