import { on } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pageRequest } from '../support/requests.js';
import type { BystanderTask, Meanwhile } from './bystanders.js';

/** Milliseconds between a reply and the next request. */
const PAUSE = 5;

/** A person who repeats one request. */
class Bystander {
  private longest: number | null = null;
  private failures = 0;
  private current: Promise<void> = Promise.resolve();

  constructor(private readonly ask: () => Promise<Response>) {}

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.current = this.once();
      await this.current;
      await pause(PAUSE);
    }
  }

  async take(): Promise<{ readonly longest: number | null; readonly failures: number }> {
    await this.current;
    const { longest, failures } = this;
    [this.longest, this.failures] = [null, 0];
    return { longest, failures };
  }

  private async once(): Promise<void> {
    const start = performance.now();
    try {
      const response = await this.ask();
      await response.arrayBuffer();
      if (!response.ok) this.failures += 1;
    } catch {
      this.failures += 1;
    }
    this.longest = Math.max(this.longest ?? 0, performance.now() - start);
  }
}

async function main(): Promise<void> {
  // Keeps the messages that arrive before they are read: on a busy machine the first question may come with the task.
  const messages = on(process, 'message')[Symbol.asyncIterator]();
  const { value: first } = await messages.next();
  const [{ site, authorizations, channelId }] = first as [BystanderTask];
  const [looker = '', reader = '', writer = ''] = authorizations;
  const headers = (authorization: string): Record<string, string> => ({
    authorization,
    'user-agent': 'bench/1',
  });
  const message = { type: 'stream', to: String(channelId), topic: 'bystanders', content: 'Still here.' };
  const bystanders = [
    new Bystander(() => fetch(`${site}/api/v1/users/me`, { headers: headers(looker) })),
    new Bystander(() => fetch(`${site}${pageRequest(reader).path}`, { headers: headers(reader) })),
    new Bystander(() =>
      fetch(`${site}/api/v1/messages`, {
        method: 'POST',
        body: new URLSearchParams(message),
        headers: headers(writer),
      }),
    ),
  ];
  const left = new AbortController();
  process.once('disconnect', () => left.abort());
  void reportEach(messages, bystanders);
  await Promise.all(bystanders.map((bystander) => bystander.run(left.signal)));
}

async function reportEach(
  questions: AsyncIterator<unknown>,
  bystanders: readonly Bystander[],
): Promise<void> {
  while (!(await questions.next()).done) await report(bystanders);
}

async function report(bystanders: readonly Bystander[]): Promise<void> {
  const taken = await Promise.all(bystanders.map((bystander) => bystander.take()));
  const meanwhile: Meanwhile = {
    longest: taken.map(({ longest }) => longest),
    failed: taken.reduce((sum, { failures }) => sum + failures, 0),
  };
  process.send?.(meanwhile);
}

await main();
