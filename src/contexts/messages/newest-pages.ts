import { Injectable } from '@nestjs/common';
import type { Answer } from '../../http/envelope.js';
import { Readers } from '../../reader-threads/readers.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import { MessageReader } from './message-reader.js';
import { hasFewSources } from './narrow/narrow-cost.js';
import { readPage } from './narrow/page.js';
import { MAX_MESSAGE_ID } from './narrow/sources.js';
import { readMessages, messagesReply, type GetMessages } from './queries/get-messages.js';
import type { QuerySession } from './query-session.js';

/** Longer pages go to reader threads. */
const MAX_MESSAGES = 100;

/**
 * At most this many messages are read from the store for a page on this thread; where more are not cached, a
 * reader thread answers.
 */
const MAX_MISSING = 4;

/**
 * Edit histories are read for each reply, and each edit may hold hundreds of kilobytes: a page with more
 * edits goes to a reader thread.
 */
const MAX_EDITS = 2;
const MAX_MOVES = 20;

/**
 * Bytes of messages, as the cache counts them, that are loaded into the cache for one page: half of its
 * capacity.
 */
const MAX_BYTES_LOADED = 1.5 * 1024 * 1024;

/**
 * Answers pages of messages. The newest messages of everything or of a channel are requested again and again:
 * while they are cached they are answered on the request thread, by look-ups in indexes only. All other pages
 * are answered by reader threads.
 */
@Injectable()
export class NewestPages {
  private isTaking = false;

  constructor(
    private readonly messages: MessageReader,
    private readonly readers: Readers,
  ) {}

  /** @throws ApplicationError `queryTimeout`, and whatever the query's handler throws */
  async answer(query: GetMessages): Promise<Answer> {
    const page = asksForNewest(query) ? await this.find(query) : null;
    if (page === null) return this.readers.answer(query);
    const { session, ids } = page;
    const missing = await session.missing(ids);
    if (missing.length <= MAX_MISSING) {
      await this.take(session, missing);
      if ((await session.missing(ids)).length === 0 && hasShortHistories(session, ids)) {
        return messagesReply(await readMessages(session, query.request));
      }
      return this.readers.answer(query);
    }
    const [reply] = await Promise.all([this.readers.answer(query), this.take(session, missing)]);
    return reply;
  }

  /** The ids on the page; null: finding them may take long. */
  private async find({
    caller,
    request: { selection, narrow },
  }: GetMessages): Promise<{ readonly session: QuerySession; readonly ids: readonly number[] } | null> {
    if (selection.type !== 'range' || selection.anchor.type !== 'id') return null;
    const session = await this.messages.open(caller);
    const compiled = await session.compile(narrow);
    if (!hasFewSources(compiled, session.context)) return null;
    const { messages } = await readPage(
      compiled,
      { ...selection, anchor: selection.anchor },
      session.search.ids,
    );
    return { session, ids: messages.map(({ _id }) => _id) };
  }

  /**
   * Loads messages into the cache, newest first, yielding to other requests in between. Only one page is loaded at a
   * time; meanwhile reader threads answer other requests for messages that are not cached.
   */
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
        if (bytes > MAX_BYTES_LOADED) return;
      }
    } finally {
      this.isTaking = false;
    }
  }
}

/** Whether the page is of everything or of one channel: indexes answer that without reading a message. */
function asksForNewest({ request: { selection, narrow } }: GetMessages): boolean {
  if (selection.type !== 'range' || selection.anchor.type !== 'id') return false;
  const { anchor, before, after } = selection;
  if (anchor.id < MAX_MESSAGE_ID || before + after > MAX_MESSAGES) return false;
  return narrow.length <= 1 && narrow.every(({ operator, negated }) => operator === 'channel' && !negated);
}

/** Whether the messages together have few edits and moves. All of them must be cached. */
function hasShortHistories(session: QuerySession, ids: readonly number[]): boolean {
  let [edits, moves] = [0, 0];
  for (const id of ids) {
    const document = session.held(id)?.document;
    edits += document?.edits ?? 0;
    moves += document?.moves.length ?? 0;
  }
  return edits <= MAX_EDITS && moves <= MAX_MOVES;
}
