import { jsonEvent, MaxAppendSizeExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import type { Credentials, EventStoreDBClient } from '@eventstore/db-client';
import { AppendTooLargeError, WrongExpectedRevisionError } from '../port.js';
import type { AppendResult, ExpectedRevision, PersistedEvent, StoredEvent } from '../port.js';
import { Backoff } from './backoff.js';
import { readWithin } from './bounded-read.js';
import { toPersistedEvent, toSafeInteger } from './convert.js';
import { isPermanent, toUnavailable } from './failures.js';

/** How many events back an append under "any" whose outcome is unknown is searched for, where no nearer bound is known. */
const LONGEST_SEARCH = 16_384;
const SEARCH_PAGE = 512;

/** An append that passed the checks. */
interface CheckedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly StoredEvent[];
}

/** What the appender works with. */
export interface AppenderOptions {
  readonly client: EventStoreDBClient;
  /** Given with every append: the client then sends it as a call of its own, with a deadline, and not through the batch stream. */
  readonly credentials: Credentials;
  /** Milliseconds for all attempts at one append together. */
  readonly deadline: number;
}

/**
 * Appends, and tries again with the same event ids when the outcome is unknown. Before each further attempt it looks
 * whether the one before was stored after all.
 */
export class Appender {
  /** The highest acknowledged revision of the streams that are appended to under "any". */
  readonly #acknowledged = new Map<string, number>();

  constructor(private readonly options: AppenderOptions) {}

  /** @throws WrongExpectedRevisionError, AppendTooLargeError, EventStoreUnavailableError */
  async append(append: CheckedAppend): Promise<AppendResult> {
    const { stream, expected } = append;
    const before = this.#acknowledged.get(stream);
    const result = await this.#untilKnown(append, before);
    if (expected === 'any') {
      this.#acknowledged.set(stream, Math.max(result.revision, this.#acknowledged.get(stream) ?? -1));
    }
    return result;
  }

  async #untilKnown(append: CheckedAppend, before: number | undefined): Promise<AppendResult> {
    const until = performance.now() + this.options.deadline;
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const found = attempt > 1 ? await this.#find(append, before) : undefined;
        return found ?? (await this.#send(append, until - performance.now()));
      } catch (error) {
        throwIfRefused(error, append);
        if (isPermanent(error)) throw toUnavailable(error, attempt > 1 ? 'unknown' : false);
        const left = until - performance.now();
        if (left <= 0) throw toUnavailable(error, 'unknown');
        await backoff.pause({ limit: left });
      }
    }
  }

  async #send({ stream, expected, events }: CheckedAppend, left: number): Promise<AppendResult> {
    const { client, credentials, deadline } = this.options;
    const result = await client.appendToStream(
      stream,
      events.map(({ id, type, data, metadata }) => jsonEvent({ id, type, data, metadata })),
      {
        expectedRevision: toClientRevision(expected),
        credentials,
        // At most half of the whole, so that a silent connection leaves time for another attempt.
        deadline: Math.max(1, Math.min(left, deadline / 2)),
      },
    );
    if (!result.position) throw new Error('The server acknowledged an append without its position');
    return {
      revision: toSafeInteger(result.nextExpectedRevision),
      position: toSafeInteger(result.position.commit),
    };
  }

  /** An append is atomic, so its last event tells of all. */
  async #find({ stream, expected, events }: CheckedAppend, before = -1): Promise<AppendResult | undefined> {
    const { id } = events.at(-1)!;
    if (expected === 'any') return this.#searchBackwards(stream, id, before);
    const last = (expected === 'no-stream' ? -1 : expected) + events.length;
    const page = await this.#read(stream, { fromRevision: BigInt(last), maxCount: 1 });
    return placeOf(id, page);
  }

  async #searchBackwards(stream: string, id: string, before: number): Promise<AppendResult | undefined> {
    let fromRevision: bigint | 'end' = 'end';
    for (let searched = 0; searched < LONGEST_SEARCH; searched += SEARCH_PAGE) {
      const page = await this.#read(stream, { fromRevision, maxCount: SEARCH_PAGE, direction: 'backwards' });
      const found = placeOf(id, page);
      if (found) return found;
      const oldest = page.at(-1)?.revision ?? 0;
      if (oldest === 0 || oldest <= before) return undefined;
      fromRevision = BigInt(oldest - 1);
    }
    return undefined;
  }

  async #read(
    stream: string,
    options: { fromRevision: bigint | 'end'; maxCount: number; direction?: 'backwards' },
  ): Promise<readonly PersistedEvent[]> {
    const { client, deadline } = this.options;
    const resolved = await readWithin(deadline / 4, () => client.readStream(stream, options));
    return resolved.flatMap(({ event }) => (event ? toPersistedEvent(event) : []));
  }
}

function placeOf(id: string, events: readonly PersistedEvent[]): AppendResult | undefined {
  const found = events.find((event) => event.id === id);
  return found && { revision: found.revision, position: found.position };
}

/** Throws the port's error for what the server decided: nothing was written by this attempt or one before. */
function throwIfRefused(error: unknown, { stream, expected, events }: CheckedAppend): void {
  if (error instanceof WrongExpectedVersionError) {
    const { actualVersion } = error;
    const actual = typeof actualVersion === 'bigint' ? toSafeInteger(actualVersion) : null;
    throw new WrongExpectedRevisionError(stream, expected, actual);
  }
  if (error instanceof MaxAppendSizeExceededError) {
    throw new AppendTooLargeError(
      events.reduce((sum, { data }) => sum + Buffer.byteLength(JSON.stringify(data)), 0),
    );
  }
}

function toClientRevision(expected: ExpectedRevision): bigint | 'any' | 'no_stream' {
  switch (expected) {
    case 'any':
      return 'any';
    case 'no-stream':
      return 'no_stream';
    default:
      return BigInt(expected);
  }
}
