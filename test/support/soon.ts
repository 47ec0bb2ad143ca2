import type { Answer, Reply } from './api-client.js';

/** What the server says of a time that has passed when it is asked for. */
const PASSED = 'Scheduled delivery time must be in the future.';

/**
 * Asks for what is to happen soon: at a time that must not have passed when the server is asked. On a busy machine it may have; then it is
 * asked for again at a later one.
 *
 * @param ask is given the time, in seconds since the UNIX epoch
 * @param seconds how soon
 * @throws Error for every other reply that is not a success
 */
export async function soon(ask: (dueAt: number) => Promise<Answer>, seconds = 1): Promise<Reply> {
  const { status, body } = await ask(Math.ceil(Date.now() / 1000) + seconds);
  if (status === 200) return body;
  if (body.msg !== PASSED) throw new Error(`It was answered ${status}: ${JSON.stringify(body)}`);
  return soon(ask, 2 * seconds);
}
