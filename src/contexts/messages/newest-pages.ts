import { Injectable } from '@nestjs/common';
import type { Answer } from '../../http/envelope.js';
import { Readers, ReadersHere } from '../../reader-threads/readers.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { MessageReader } from './message-reader.js';
import { readPage } from './narrow/page.js';
import { maxMessageId } from './narrow/sources.js';
import type { CompiledNarrow } from './narrow/compiled-narrow.js';
import type { GetMessages } from './queries/get-messages.js';
import type { QuerySession } from './query-session.js';

/** Longer pages are for reader threads. */
const MAX_MESSAGES = 100;

/** So many messages are read before a page is answered here; where more are not in memory, a reader thread answers. */
const MAX_MISSING = 4;

/** A page of more stretches of the log, such as subscriptions, is for reader threads. */
const MAX_STRETCHES = 50;

/** Histories of the messages of a page are read anew for each reply, and each edit may hold hundreds of kilobytes. */
const MAX_EDITS = 2;
const MAX_MOVES = 20;

/** Bytes of messages, as they count in the cache, that are taken into memory for one page: half of what it holds. */
const MAX_BYTES_TAKEN = 1.5 * 1024 * 1024;

/**
 * Answers pages of messages. The newest messages of everything or of a channel are asked for again and again: while they are in
 * memory they are answered on the thread that answers requests, with nothing but looks into indexes. What is in memory fits into
 * the cache, so that putting it together is short. All else is answered by reader threads.
 */
@Injectable()
export class NewestPages {
  private isTaking = false;

  constructor(
    private readonly messages: MessageReader,
    private readonly readers: Readers,
    private readonly here: ReadersHere,
  ) {}

  /** @throws whatever the query's handler does, and ApplicationError `queryTimeout` */
  async answer(query: GetMessages): Promise<Answer> {
    const page = asksForNewest(query) ? await this.find(query) : null;
    if (page === null) return this.readers.answer(query);
    const { session, ids } = page;
    const missing = await session.missing(ids);
    if (missing.length <= MAX_MISSING) {
      await this.take(session, missing);
      if ((await session.missing(ids)).length === 0 && hasShortHistories(session, ids)) {
        return this.here.answer(query);
      }
      return this.readers.answer(query);
    }
    const [reply] = await Promise.all([this.readers.answer(query), this.take(session, missing)]);
    return reply;
  }

  /** The ids on the page; null: finding them may be long. */
  private async find({
    caller,
    request: { selection, narrow },
  }: GetMessages): Promise<{ readonly session: QuerySession; readonly ids: readonly number[] } | null> {
    if (selection.type !== 'range' || selection.anchor.type !== 'id') return null;
    const session = await this.messages.open(caller);
    const compiled = await session.compile(narrow);
    if (stretchesOf(compiled) > MAX_STRETCHES || session.context.flags.adopted.length > 0) return null;
    const { messages } = await readPage(
      compiled,
      { ...selection, anchor: selection.anchor },
      session.search.ids,
    );
    return { session, ids: messages.map(({ _id }) => _id) };
  }

  /** Takes messages into memory, newest first, with turns for others in between. One page at a time: others find it there later. */
  private async take(session: QuerySession, ids: readonly number[]): Promise<void> {
    if (this.isTaking) return;
    this.isTaking = true;
    try {
      let bytes = 0;
      const slice = new TimeSlice();
      for (const id of ids.toReversed()) {
        if (slice.isOver) await slice.next();
        const [message] = await session.find({ _id: id }, { _id: 1 }, 1);
        bytes += message?.size ?? 0;
        if (bytes > MAX_BYTES_TAKEN) return;
      }
    } finally {
      this.isTaking = false;
    }
  }
}

/** Of everything, or of one channel: what indexes answer without reading a message. */
function asksForNewest({ request: { selection, narrow } }: GetMessages): boolean {
  if (selection.type !== 'range' || selection.anchor.type !== 'id') return false;
  const { anchor, before, after } = selection;
  if (anchor.id < maxMessageId || before + after > MAX_MESSAGES) return false;
  return narrow.length <= 1 && narrow.every(({ operator, negated }) => operator === 'channel' && !negated);
}

function stretchesOf({ sources }: CompiledNarrow): number {
  return sources.reduce((count, { arrivals }) => count + (arrivals?.length ?? 1), 0);
}

/** Of messages that are in memory. */
function hasShortHistories(session: QuerySession, ids: readonly number[]): boolean {
  let [edits, moves] = [0, 0];
  for (const id of ids) {
    const document = session.held(id)?.document;
    edits += document?.edits ?? 0;
    moves += document?.moves.length ?? 0;
  }
  return edits <= MAX_EDITS && moves <= MAX_MOVES;
}
