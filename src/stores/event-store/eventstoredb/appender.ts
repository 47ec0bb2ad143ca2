import { LRUCache } from 'lru-cache';
import { firstRevision, type AppendResult, type StoredEvent } from '../port.js';
import { AppendCalls, refusal, type AppendCallsOptions, type CheckedAppend } from './append-calls.js';
import { Backoff, toUnavailable } from './failures.js';
import { SharedAppends } from './shared-appends.js';

/** Streams that are appended to under "any". There is only one, `messages`. */
const MAX_SHARED_STREAMS = 16;

/**
 * Appends, and retries with the same event ids when the outcome is unknown. Before each retry it checks whether the previous attempt was
 * stored after all.
 */
export class Appender {
  readonly #calls: AppendCalls;
  readonly #shared = new LRUCache<string, SharedAppends>({ max: MAX_SHARED_STREAMS });

  constructor(options: AppendCallsOptions) {
    this.#calls = new AppendCalls(options);
  }

  /** @throws WrongExpectedRevisionError, AppendTooLargeError, EventStoreUnavailableError */
  append(append: CheckedAppend): Promise<AppendResult> {
    return append.expected === 'any'
      ? this.#sharedAppends(append.stream).append(append.events)
      : this.#untilKnown(append, append.expected);
  }

  #sharedAppends(stream: string): SharedAppends {
    let shared = this.#shared.get(stream);
    if (!shared) this.#shared.set(stream, (shared = new SharedAppends(this.#calls, stream)));
    return shared;
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
