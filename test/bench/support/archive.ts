import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { openEmbeddedStores } from '../../support/temporary-stores.js';
import { createChannel } from './requests.js';
import { writeConversation, type SampleConversation } from './sample-messages.js';
import { ownerOf, startProduct, type ServerProcess } from './server-process.js';

/** A server that serves a long conversation. */
export interface ServedArchive {
  readonly product: ServerProcess;
  readonly owner: ApiClient;
  readonly channelId: number;
}

/** Makes an organization, writes a long conversation into its log alone, and starts the server, which is to follow it. */
export async function serveArchive(folder: string, messages: number): Promise<ServedArchive> {
  const conversation = await begin(folder);
  await writeMessages(folder, conversation, messages);
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    await untilReadable(owner, messages);
    return { product, owner, channelId: conversation.channelId };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

async function begin(folder: string): Promise<SampleConversation> {
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    const { user_id: senderId } = await owner.must('get', 'users/me');
    return { senderId: senderId as number, channelId: await createChannel(owner, 'archive') };
  } finally {
    await product.stop();
  }
}

async function writeMessages(folder: string, conversation: SampleConversation, count: number): Promise<void> {
  const stores = await openEmbeddedStores(folder);
  try {
    await writeConversation(stores.log, conversation, count);
  } finally {
    await stores.close();
  }
}

async function untilReadable(owner: ApiClient, messages: number): Promise<void> {
  for (;;) {
    const { body } = await owner.get('messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const [newest] = body['messages'] as { readonly id: number }[];
    if ((newest?.id ?? 0) >= messages) return;
    await pause(100);
  }
}
