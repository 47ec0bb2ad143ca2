import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { ANY, EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { sampleText } from '../support/sample-messages.js';

/** What a process of the bare client does. */
export interface BareAppends {
  readonly url: string;
  readonly callers: number;
  readonly seconds: number;
}

/** With credentials the client sends each append as a call of its own, as the product has it; on an insecure connection it leaves them out. */
const ALONE = { username: 'anonymous', password: '' };

/** Appends events of a message's size through the client alone, and tells its parent how many a second were acknowledged. */
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
