import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { WrongExpectedVersionError } from '@eventstore/db-client';
import {
  MAX_APPEND_BYTES,
  WrongExpectedRevisionError,
  type AppendResult,
  type StoredEvent,
} from '../port.js';
import { bytesOf, refusal, type AppendCalls } from './append-calls.js';
import { Backoff, toUnavailable } from './failures.js';
import type { StreamTail } from './stream-tail.js';

/** Maximum number of events in one append. */
const MAX_EVENTS = 500;

interface WaitingAppend {
  readonly events: readonly StoredEvent[];
  readonly bytes: number;
  /** When it is given up, on the clock of `performance`. */
  readonly until: number;
  /** Whether it was sent, so that it may have been written. */
  wasSent: boolean;
  readonly resolve: (result: AppendResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * This process's appends to one stream under "any". Appends that wait while another one is running are combined into the next.
 *
 * They are sent with the exact revision that this process knows. After a failed attempt, its events therefore either follow that revision
 * or can never be written, and a retry is recognised in whatever combination. Under "any", the server would only compare the first id, and
 * could write a known event again after a new one. If another process was faster, its events are read, and the append is sent again after
 * them.
 */
export class SharedAppends {
  readonly #waiting: WaitingAppend[] = [];
  #isWorking = false;

  constructor(
    private readonly calls: AppendCalls,
    /** Of the stream that is appended to. */
    private readonly tail: StreamTail,
  ) {}

  /** @throws WrongExpectedRevisionError, AppendTooLargeError, EventStoreUnavailableError */
  append(events: readonly StoredEvent[]): Promise<AppendResult> {
    return new Promise((resolve, reject) => {
      const until = performance.now() + this.calls.deadline;
      this.#waiting.push({ events, bytes: bytesOf(events), until, wasSent: false, resolve, reject });
      if (!this.#isWorking) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    await yieldToEventLoop();
    while (this.#waiting.length > 0) {
      const group = this.#withoutLate(this.#nextGroup(), new Error('The appends before it took too long'));
      await this.#appendTogether(group);
    }
    this.#isWorking = false;
  }

  /** As many waiting appends as fit into one. A second attempt at the same append waits for the first. */
  #nextGroup(): WaitingAppend[] {
    const ids = new Set<string>();
    let [count, bytes] = [0, 0];
    for (const append of this.#waiting) {
      bytes += append.bytes;
      const isKnown = append.events.some(({ id }) => ids.has(id));
      const isTooMuch = bytes > MAX_APPEND_BYTES || ids.size + append.events.length > MAX_EVENTS;
      if (count > 0 && (isKnown || isTooMuch)) break;
      for (const { id } of append.events) ids.add(id);
      count += 1;
    }
    return this.#waiting.splice(0, count);
  }

  /** Repeats until the outcome of each append is known, or until it times out. */
  async #appendTogether(group: readonly WaitingAppend[]): Promise<void> {
    const backoff = new Backoff();
    let left = group;
    for (let attempt = 1; left.length > 0; attempt += 1) {
      try {
        await this.tail.ascertain();
        left = this.#answerStored(left);
        if (left.length > 0) await this.#send(left);
        return;
      } catch (error) {
        this.tail.doubt();
        left = await this.#afterFailure(left, error);
        const isLost = error instanceof WrongExpectedVersionError;
        if (left.length > 0 && !(isLost && attempt === 1)) await backoff.pause({ limit: timeLeft(left) });
      }
    }
  }

  /** @returns those of which nothing is stored yet */
  #answerStored(group: readonly WaitingAppend[]): readonly WaitingAppend[] {
    return group.filter(({ events, resolve, reject }) => {
      const found = this.tail.find(events);
      if (found === undefined) return true;
      if (found !== 'partly') resolve(found);
      else reject(new WrongExpectedRevisionError(this.tail.stream, 'any', this.tail.revision));
      return false;
    });
  }

  async #send(group: readonly WaitingAppend[]): Promise<void> {
    const events = group.flatMap((append) => append.events);
    const before = this.tail.revision;
    for (const append of group) append.wasSent = true;
    const expected = before < 0 ? 'no-stream' : before;
    const { position } = await this.calls.send(
      { stream: this.tail.stream, expected, events },
      timeLeft(group),
    );
    // The position of a combined append is that of its last event: a reader that has reached it has read all of them.
    this.tail.advance(events.map(({ id }, index) => ({ id, revision: before + 1 + index, position })));
    this.#answerStored(group);
  }

  /** Rejects appends that can no longer succeed. @returns the others */
  async #afterFailure(group: readonly WaitingAppend[], error: unknown): Promise<readonly WaitingAppend[]> {
    if (error instanceof WrongExpectedVersionError || refusal(error, this.#asAppend(group), false) === null)
      return this.#withoutLate(group, error);
    // One of them may cause the error. Sent separately, each succeeds or is identified.
    if (group.length > 1) for (const append of group) await this.#appendTogether([append]);
    else for (const append of group) append.reject(refusal(error, this.#asAppend(group), writtenOf(append))!);
    return [];
  }

  #withoutLate(group: readonly WaitingAppend[], error: unknown): readonly WaitingAppend[] {
    const now = performance.now();
    return group.filter((append) => {
      if (append.until > now) return true;
      append.reject(toUnavailable(error, writtenOf(append)));
      return false;
    });
  }

  #asAppend(group: readonly WaitingAppend[]) {
    return {
      stream: this.tail.stream,
      expected: 'any',
      events: group.flatMap(({ events }) => events),
    } as const;
  }
}

function writtenOf({ wasSent }: WaitingAppend): 'unknown' | false {
  return wasSent ? 'unknown' : false;
}

/** Milliseconds until the first of them times out. */
function timeLeft(group: readonly WaitingAppend[]): number {
  return Math.max(0, Math.min(...group.map(({ until }) => until)) - performance.now());
}
