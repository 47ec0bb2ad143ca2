import type { Directory } from '../access/directory.js';
import type { QueueOptions } from './queues/queue-options.js';

/** Clients that do not know archived channels get no events of a channel after it was archived: for them it was deleted then. */
export function isShownChannel(
  channelId: number,
  directory: Directory,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
): boolean {
  return capabilities.archived_channels || directory.channel(channelId)?.isArchived !== true;
}
