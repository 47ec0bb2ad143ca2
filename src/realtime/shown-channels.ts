import type { Directory } from '../access/directory.js';
import type { QueueOptions } from './queues/queue-options.js';

/**
 * Whether a client gets events of a channel: clients without support for archived channels get none once it
 * was archived, because for them it was deleted then.
 */
export function isShownChannel(
  channelId: number,
  directory: Directory,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
): boolean {
  return capabilities.archived_channels || directory.channel(channelId)?.isArchived !== true;
}
