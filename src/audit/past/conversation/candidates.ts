import type { QueryDeadline } from '../../../reader-threads/query-deadline.js';
import type { Collection, Filter, Keyed, ModelStore } from '../../../stores/read-store/port.js';
import type {
  DeletionDocument,
  MessageChangeDocument,
  MessageDocument,
} from '../../../contexts/messages/message-document.js';
import type { MoveDocument } from '../../../contexts/messages/moves/move-documents.js';
import { topicKey } from '../../../events/values/message-text.js';
import {
  ofDeletion,
  ofMessage,
  presentFilter,
  type Conversation,
  type StoredMessage,
} from './conversation.js';
import type { IdRangeAfter } from './unchanged-ranges.js';

const BATCH = 200;

/** Keys of moves per query. */
const MOVES_AT_ONCE = 400;

/** Which messages of a conversation to look for. */
interface CandidateSearch {
  readonly conversation: Conversation;
  /**
   * Messages that were there at this position or later are found; those that were only there before it may be found.
   */
  readonly since: number;
  /** The id at which to start, inclusive. */
  readonly from: number;
  /** 1: ascending ids; -1: descending ids. */
  readonly order: 1 | -1;
  /**
   * For messages that are there now and are untouched (nothing happened to them since they were sent): only those that
   * one of these searches finds. Absent: all of them.
   */
  readonly untouched?: readonly UntouchedSearch[];
}

/** Selects untouched messages: those to which nothing happened since they were sent. */
interface UntouchedSearch {
  readonly filter: Filter;
  /** Ascending. */
  readonly ranges: readonly IdRangeAfter[];
}

/** Reads the next messages of one source, starting at an id. */
type Next = (from: number) => Promise<readonly StoredMessage[]>;

/**
 * Yields every message that was in a conversation at a position or later, in the order of ids, whatever happened to it
 * since: those that are there now, those that were moved away, and deleted ones. Some of them may not have been there
 * at that position: see `placementAt`. A message that is moved during the search may be missed: see {@link atRest}.
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
    // When a message is found both present and deleted, the deletion is the newer state.
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
      toMessage: (document: D) => StoredMessage,
    ): Next =>
    async (from) => {
      const beyond = order === 1 ? { $gte: from } : { $lte: from };
      const all = { $and: [filter, { _id: beyond }] };
      const found = await collection.find(all, { sort: { _id: order }, limit: BATCH });
      return found.map(toMessage);
    };
  const present = presentFilter(conversation);
  const later = { position: { $gt: since } };
  const lying =
    untouched === undefined
      ? [reader(messages, present, ofMessage)]
      : [
          reader(messages, { ...present, changes: { $gt: 1 } }, ofMessage),
          ...untouched.map(({ filter, ranges }) => {
            const all = { ...present, ...filter, changes: 1 };
            return within(messages, { filter: all, ranges, order }, deadline);
          }),
        ];
  const moved = (await movesAway(model, conversation, since)).flatMap((keys) => [
    reader(messages, { moves: { $in: keys } }, ofMessage),
    reader(deletions, { moves: { $in: keys }, ...later }, ofDeletion),
  ]);
  return [...lying, ...moved, reader(deletions, { ...present, ...later }, ofDeletion)];
}

/** Reads the messages in ranges of ids, one range after another. */
function within(
  messages: Collection<MessageDocument>,
  { filter, ranges, order }: UntouchedSearch & Pick<CandidateSearch, 'order'>,
  deadline: QueryDeadline,
): Next {
  const ordered = order === 1 ? ranges : ranges.toReversed();
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

/** Keys of the moves by which messages left the conversation after a position, in chunks. */
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

/** Position of the latest change of a message in the conversation, other than its sending; -1: there is none. */
async function newestChange(model: ModelStore, conversation: Conversation): Promise<number> {
  const changes = model.collection<MessageChangeDocument>('message_changes');
  const [newest] = await changes.find(presentFilter(conversation), { sort: { position: -1 }, limit: 1 });
  return newest?.position ?? -1;
}

/** How often a reading is tried if messages are moved during it. */
const ATTEMPTS = 4;

/**
 * Repeats a read of a conversation until no message of the conversation changed during it, and returns the result.
 * After the last attempt the result is returned in any case, although a message that was moved meanwhile may be missing
 * from it.
 */
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
