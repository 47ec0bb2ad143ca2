import { LRUCache } from 'lru-cache';
import { MESSAGES_STREAM } from '../../../events/messages.js';
import { firstRevision, type AppendResult, type StoredEvent } from '../port.js';
import { AppendCalls, refusal, type AppendCallsOptions, type CheckedAppend } from './append-calls.js';
import { Backoff, toUnavailable } from './failures.js';
import { SharedAppends } from './shared-appends.js';
import { StreamTail } from './stream-tail.js';

/** How many streams that are seldom appended to under "any" are known at once, such as those of people's notifications. */
const MAX_SHARED_STREAMS = 16;

/**
 * Appends, and retries with the same event ids when the outcome is unknown. Before each retry it checks whether the previous attempt was
 * stored after all.
 */
export class Appender {
  readonly #calls: AppendCalls;
  readonly #messages: SharedAppends;
  /** By stream, without `messages`: reading its end again takes long. */
  readonly #shared = new LRUCache<string, SharedAppends>({ max: MAX_SHARED_STREAMS });

  constructor(options: AppendCallsOptions) {
    this.#calls = new AppendCalls(options);
    this.#messages = this.#sharedAppendsTo(MESSAGES_STREAM);
  }

  /** @throws WrongExpectedRevisionError, AppendTooLargeError, EventStoreUnavailableError */
  append(append: CheckedAppend): Promise<AppendResult> {
    return append.expected === 'any'
      ? this.#sharedAppends(append.stream).append(append.events)
      : this.#untilKnown(append, append.expected);
  }

  #sharedAppends(stream: string): SharedAppends {
    if (stream === MESSAGES_STREAM) return this.#messages;
    const shared = this.#shared.get(stream) ?? this.#sharedAppendsTo(stream);
    this.#shared.set(stream, shared);
    return shared;
  }

  #sharedAppendsTo(stream: string): SharedAppends {
    return new SharedAppends(this.#calls, new StreamTail(this.#calls, stream));
  }

  async #untilKnown(append: CheckedAppend, expected: number | 'no-stream'): Promise<AppendResult> {
    const until = performance.now() + this.#calls.deadline;
    const backoff = new Backoff();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const found = attempt > 1 ? await this.#find(append, expected) : undefined;
        return found ?? (await this.#calls.send(append, until - performance.now()));
      } catch (error) {
        const refused = refusal(error, append, attempt > 1 ? 'unknown' : false);
        if (refused) throw refused;
        const left = until - performance.now();
        if (left <= 0) throw toUnavailable(error, 'unknown');
        await backoff.pause({ limit: left });
      }
    }
  }

  /** An append is atomic, so looking for its last event is enough. */
  async #find(
    { stream, events }: { readonly stream: string; readonly events: readonly StoredEvent[] },
    expected: number | 'no-stream',
  ): Promise<AppendResult | undefined> {
    const last = firstRevision(expected) + events.length - 1;
    const [found] = await this.#calls.read(stream, { fromRevision: BigInt(last), maxCount: 1 });
    if (found?.id !== events.at(-1)!.id) return undefined;
    return { revision: found.revision, position: found.position };
  }
}
