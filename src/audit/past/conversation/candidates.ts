import type { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { Collection, Filter, Keyed, ModelStore } from '../../../stores/read-store/port.js';
import type {
  DeletionDocument,
  MessageChangeDocument,
  MessageDocument,
} from '../../../contexts/messages/message-document.js';
import type { MoveDocument } from '../../../contexts/messages/move-documents.js';
import { topicKey } from '../../../events/values/message-text.js';
import {
  ofDeletion,
  ofMessage,
  presentFilter,
  type Conversation,
  type StoredMessage,
} from './conversation.js';
import type { IdStretch } from './untouched-stretches.js';

const BATCH = 200;

/** Keys of moves that are looked for at once. */
const MOVES_AT_ONCE = 400;

/** Which of a conversation's messages are looked for. */
export interface CandidateSearch {
  readonly conversation: Conversation;
  /** What lay there at this position or later is found; what only lay there before may be. */
  readonly since: number;
  /** From which id on, that one included. */
  readonly from: number;
  /** 1: to later ones; -1: to earlier ones. */
  readonly order: 1 | -1;
  /** Of those that lie there now and to which nothing happened since they were sent, only what one of these finds; absent: all of them. */
  readonly untouched?: readonly UntouchedSearch[];
}

/** Which messages to which nothing happened are looked for. */
export interface UntouchedSearch {
  readonly filter: Filter;
  /** Rising. */
  readonly stretches: readonly IdStretch[];
}

/** Reads one source further: what follows an id. */
type Next = (from: number) => Promise<readonly StoredMessage[]>;

/**
 * Every message that lay in a conversation at a position or later, by its id, whatever became of it since: those that lie there now,
 * those that moves took away, and those that were deleted. Some of them may not have lain there at that position: see `placementAt`.
 * One that is moved while this reads may be missed: see {@link atRest}.
 */
export async function* candidates(
  model: ModelStore,
  search: CandidateSearch,
  deadline: QueryDeadline,
): AsyncGenerator<StoredMessage> {
  const sources: Source[] = [];
  for (const next of await nextsOf(model, search, deadline)) {
    const source = new Source(next, search.order);
    await source.begin(search.from);
    sources.push(source);
  }
  for (;;) {
    deadline.throwIfOver();
    const heads = sources.flatMap((source) => source.head ?? []);
    if (heads.length === 0) return;
    const id = heads.reduce((best, { _id }) => ((_id - best) * search.order < 0 ? _id : best), heads[0]!._id);
    // Of one that is found twice the deletion came later.
    const alike = heads.filter(({ _id }) => _id === id);
    yield alike.find(({ deletedAt }) => deletedAt !== null) ?? alike[0]!;
    for (const source of sources) if (source.head?._id === id) await source.advance();
  }
}

class Source {
  private batch: readonly StoredMessage[] = [];
  private index = 0;
  private isOver = false;

  constructor(
    private readonly next: Next,
    private readonly order: 1 | -1,
  ) {}

  get head(): StoredMessage | undefined {
    return this.batch[this.index];
  }

  async begin(from: number): Promise<void> {
    this.batch = await this.next(from);
    this.index = 0;
    this.isOver = this.batch.length < BATCH;
  }

  async advance(): Promise<void> {
    const last = this.head;
    this.index += 1;
    if (this.head === undefined && !this.isOver && last !== undefined)
      await this.begin(last._id + this.order);
  }
}

async function nextsOf(
  model: ModelStore,
  search: CandidateSearch,
  deadline: QueryDeadline,
): Promise<readonly Next[]> {
  const { conversation, since, order, untouched } = search;
  const messages = model.collection<MessageDocument>('messages');
  const deletions = model.collection<DeletionDocument>('deletions');
  const reader =
    <D extends Keyed>(
      collection: Collection<D>,
      filter: Filter,
      told: (document: D) => StoredMessage,
    ): Next =>
    async (from) => {
      const beyond = order === 1 ? { $gte: from } : { $lte: from };
      const all = { $and: [filter, { _id: beyond }] };
      const found = await collection.find(all, { sort: { _id: order }, limit: BATCH });
      return found.map(told);
    };
  const present = presentFilter(conversation);
  const later = { position: { $gt: since } };
  const lying =
    untouched === undefined
      ? [reader(messages, present, ofMessage)]
      : [
          reader(messages, { ...present, changes: { $gt: 1 } }, ofMessage),
          ...untouched.map(({ filter, stretches }) => {
            const all = { ...present, ...filter, changes: 1 };
            return within(messages, { filter: all, stretches, order }, deadline);
          }),
        ];
  const moved = (await movesAway(model, conversation, since)).flatMap((keys) => [
    reader(messages, { moves: { $in: keys } }, ofMessage),
    reader(deletions, { moves: { $in: keys }, ...later }, ofDeletion),
  ]);
  return [...lying, ...moved, reader(deletions, { ...present, ...later }, ofDeletion)];
}

/** Reads the messages of stretches of ids, one stretch after another. */
function within(
  messages: Collection<MessageDocument>,
  { filter, stretches, order }: UntouchedSearch & Pick<CandidateSearch, 'order'>,
  deadline: QueryDeadline,
): Next {
  const ordered = order === 1 ? stretches : stretches.toReversed();
  return async (from) => {
    const found: StoredMessage[] = [];
    for (const { after, through } of ordered) {
      const _id =
        order === 1
          ? { $gt: Math.max(after, from - 1), $lte: through }
          : { $gt: after, $lte: Math.min(through, from) };
      if (_id.$gt >= _id.$lte) continue;
      deadline.throwIfOver();
      const limit = BATCH - found.length;
      found.push(
        ...(await messages.find({ ...filter, _id }, { sort: { _id: order }, limit })).map(ofMessage),
      );
      if (found.length >= BATCH) break;
    }
    return found;
  };
}

/** Keys of the moves by which messages left the conversation after a position, some at a time. */
async function movesAway(
  model: ModelStore,
  conversation: Conversation,
  since: number,
): Promise<readonly (readonly string[])[]> {
  if (conversation.type === 'direct') return [];
  const { channelId, topicKey: key } = conversation;
  const moves = await model
    .collection<MoveDocument>('moves')
    .find({ channelId, position: { $gt: since } }, { sort: { position: 1 } });
  const left = moves.filter(({ newChannelId, topic, newTopic }) =>
    key === null
      ? newChannelId !== channelId
      : topicKey(topic) === key && (newChannelId !== channelId || topicKey(newTopic) !== key),
  );
  const parts: string[][] = [];
  for (let from = 0; from < left.length; from += MOVES_AT_ONCE)
    parts.push(left.slice(from, from + MOVES_AT_ONCE).map(({ _id }) => _id));
  return parts;
}

/** Positions of the newest things that happened to the conversation's messages. */
async function newestChange(model: ModelStore, conversation: Conversation): Promise<number> {
  const changes = model.collection<MessageChangeDocument>('message_changes');
  const [newest] = await changes.find(presentFilter(conversation), { sort: { position: -1 }, limit: 1 });
  return newest?.position ?? -1;
}

/** So often something is read again because messages were moved meanwhile. */
const ATTEMPTS = 4;

/** What a reading of a conversation comes to while nothing is moved out of it, or the last of some attempts. */
export async function atRest<Result>(
  model: ModelStore,
  conversation: Conversation,
  read: () => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await newestChange(model, conversation);
    const result = await read();
    if (attempt === ATTEMPTS || (await newestChange(model, conversation)) === before) return result;
  }
}
