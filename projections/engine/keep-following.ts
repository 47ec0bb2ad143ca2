import { Backoff, pause } from './pause.js';

/** A part of the log that is followed as long as the process runs. */
interface Following<Page> {
  /** Opens it, at first and after every error, after the last page that was taken. */
  readonly open: () => AsyncIterable<Page>;
  readonly take: (page: Page) => Promise<void> | void;
  /** Called with an error before the retry. */
  readonly onFailure: (error: unknown) => void;
}

const retryDelays = { first: 50, max: 2_000 };

/** Takes page after page until the signal is aborted, and retries after an error with a delay. Never rejects. */
export async function keepFollowing<Page>(
  { open, take, onFailure }: Following<Page>,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff(retryDelays);
  while (!signal.aborted) {
    try {
      for await (const page of open()) {
        await take(page);
        backoff.reset();
      }
      if (!signal.aborted) throw new Error('The log was closed while it was followed');
    } catch (error) {
      onFailure(error);
      await pause(backoff.next(), signal);
    }
  }
}
