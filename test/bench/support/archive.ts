import { setTimeout as pause } from 'node:timers/promises';
import type { ApiClient } from '../../support/api-client.js';
import { withStoresOf } from '../../crash/support/data-directory.js';
import { createChannel } from './requests.js';
import { writeConversation, type SampleConversation } from './sample-messages.js';
import { ownerOf, startProduct, type ServerProcess } from './server-process.js';

/** A running server with a long conversation. */
export interface ServedArchive {
  readonly product: ServerProcess;
  readonly owner: ApiClient;
  readonly channelId: number;
}

/**
 * Creates an organization, writes a long conversation to its log only, and starts the server, which builds its read
 * models from the log.
 */
export async function serveArchive(folder: string, messages: number): Promise<ServedArchive> {
  const { channelId } = await writeArchive(folder, messages);
  const product = await startProduct(folder);
  try {
    const owner = await ownerOf(product, folder);
    await untilReadable(owner, messages);
    return { product, owner, channelId };
  } catch (error) {
    await product.stop();
    throw error;
  }
}

/**
 * Creates an organization and writes a long conversation to its log only. @param environment the addresses of
 * stores on servers; absent: all stores are in the folder
 */
export async function writeArchive(
  folder: string,
  messages: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<SampleConversation> {
  const conversation = await begin(folder, environment);
  await withStoresOf(folder, ({ log }) => writeConversation(log, conversation, messages), environment);
  return conversation;
}

async function begin(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<SampleConversation> {
  const product = await startProduct(folder, environment);
  try {
    const owner = await ownerOf(product, folder);
    const { user_id: senderId } = await owner.must('get', 'users/me');
    return { senderId: senderId as number, channelId: await createChannel(owner, 'archive') };
  } finally {
    await product.stop();
  }
}

/**
 * Waits until a message can be read, however long the read models take. The polling uses at most half of the
 * stores' time.
 */
export async function untilReadable(owner: ApiClient, id: number): Promise<void> {
  for (;;) {
    const asked = performance.now();
    const { status, body } = await owner.get('messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const [newest] = status === 200 ? (body['messages'] as { readonly id: number }[]) : [];
    if ((newest?.id ?? 0) >= id) return;
    await pause(Math.max(20, performance.now() - asked));
  }
}
