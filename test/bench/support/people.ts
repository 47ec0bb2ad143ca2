import { randomCommandId } from '../../../src/stores/event-store/event-id.js';
import type { Stores } from '../../../src/stores/stores.js';
import type { UserEvent } from '../../../src/events/users.js';
import { openEmbeddedStores } from '../../support/temporary-stores.js';
import { startProduct } from './server-process.js';

/** Creates an organization with a number of people besides its owner; returns their ids. */
export async function populate(folder: string, people: number): Promise<readonly number[]> {
  await (await startProduct(folder)).stop();
  const stores = await openEmbeddedStores(folder);
  try {
    return await registerPeople(stores, people);
  } finally {
    await stores.close();
  }
}

/** The most events in one append. */
const TOGETHER = 500;

/**
 * Registers a number of people in an organization whose server is stopped; returns their ids. It writes directly to
 * the log, because hashing a password for each would take minutes.
 */
export async function registerPeople({ log, vault }: Stores, people: number): Promise<readonly number[]> {
  const stream = 'users';
  const [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  const first = (last?.revision ?? -1) + 2;
  const ids = Array.from({ length: people }, (_, index) => first + index);
  for (let from = 0; from < people; from += TOGETHER) {
    const events = ids.slice(from, from + TOGETHER).map((userId) => registered(userId, vault));
    const expected = first + from === 1 ? 'no-stream' : first + from - 2;
    await log.append({ stream, expected }, events, {
      actorId: null,
      commandId: randomCommandId(),
      causationId: null,
      client: 'bench',
      at: Date.now(),
    });
  }
  return ids;
}

function registered(userId: number, vault: Stores['vault']): UserEvent {
  const email = `person${userId}@example.com`;
  return {
    type: 'UserRegistered',
    data: {
      userId,
      email,
      emailDigest: vault.emailDigest(email),
      fullName: `Person ${userId}`,
      role: 400,
      bot: null,
      awaitsFirstLogin: false,
    },
  };
}
