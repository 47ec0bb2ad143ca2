import { setTimeout as pause } from 'node:timers/promises';

/** Ends a question that would be asked for ever, before Jest ends the test without saying why, and measures none. */
const TIMEOUT_MILLISECONDS = 240_000;
const FIRST_POLL_MILLISECONDS = 20;
const MAX_POLL_MILLISECONDS = 300;

/**
 * Repeats a question until the answer is as wanted, with growing pauses, so that asking does not slow down the asked.
 *
 * @param timeout milliseconds
 * @throws Error with the last answer, on timeout
 */
export async function eventually<Answer>(
  ask: () => Promise<Answer>,
  isWanted: (answer: Answer) => boolean,
  timeout = TIMEOUT_MILLISECONDS,
): Promise<Answer> {
  const deadline = performance.now() + timeout;
  for (let wait = FIRST_POLL_MILLISECONDS; ; wait = Math.min(1.5 * wait, MAX_POLL_MILLISECONDS)) {
    const answer = await ask();
    if (isWanted(answer)) return answer;
    if (performance.now() > deadline) throw new Error(`Still only ${JSON.stringify(answer)}`);
    await pause(wait);
  }
}
