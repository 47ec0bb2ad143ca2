import { MongoClient } from 'mongodb';

/** How often a task is repeated, and how many run at the same time. */
export interface Repetitions {
  readonly times: number;
  readonly atOnce: number;
}

const DOCUMENTS = 100;

/** Finds the newest documents of the messages model with the driver alone. @returns milliseconds for one query */
export async function findNewest(url: string, { times, atOnce }: Repetitions): Promise<number> {
  const client = await MongoClient.connect(url);
  try {
    const collection = client.db().collection(await messagesCollection(client));
    const turns = Array.from({ length: times }).keys();
    const find = async (): Promise<void> => {
      for (const _ of turns) await collection.find().sort({ _id: -1 }).limit(DOCUMENTS).toArray();
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: atOnce }, find));
    return (atOnce * (performance.now() - start)) / times;
  } finally {
    await client.close();
  }
}

/** The collection of the model's newest version. */
async function messagesCollection(client: MongoClient): Promise<string> {
  const names = (await client.db().listCollections().toArray()).map(({ name }) => name);
  const versions = names.flatMap((name) => /^messages__v(\d+)$/.exec(name)?.[1] ?? []).map(Number);
  if (versions.length === 0) throw new Error('There is no model of messages');
  return `messages__v${Math.max(...versions)}`;
}
