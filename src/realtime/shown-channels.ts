import type { Directory } from '../access/directory.js';
import type { QueueOptions } from './queues/queue-options.js';

/** To clients that do not know archived channels, one ended when it was archived: they are told of nothing in it. */
export function isShownChannel(
  channelId: number,
  directory: Directory,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
): boolean {
  return capabilities.archived_channels || directory.channel(channelId)?.isArchived !== true;
}
