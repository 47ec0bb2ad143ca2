import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ANY, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { sampleText } from '../support/sample-messages.js';

/** The task of a process with the bare client. */
export interface BareAppends {
  readonly url: string;
  readonly callers: number;
  readonly seconds: number;
}

/**
 * With credentials, the client sends each append as a separate call, as in the product. On an insecure connection
 * it does not send the credentials.
 */
const ALONE = { username: 'anonymous', password: '' };

/**
 * Appends events of a message's size with the client alone, and reports to the parent process how many were
 * acknowledged a second.
 */
async function main(): Promise<void> {
  const [{ url, callers, seconds }] = (await once(process, 'message')) as [BareAppends];
  const client = EventStoreDBClient.connectionString(url);
  const until = performance.now() + 1_000 * seconds;
  let acknowledged = 0;
  const call = async (): Promise<void> => {
    while (performance.now() < until) {
      const event = jsonEvent({ id: randomUUID(), type: 'Bare', data: { text: sampleText(acknowledged) } });
      await client.appendToStream('bare', event, { expectedRevision: ANY, credentials: ALONE });
      acknowledged += 1;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  process.send?.(acknowledged / seconds);
  await client.dispose();
  process.disconnect();
}

await main();
