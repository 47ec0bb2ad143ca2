import type { Attention } from '../attention/attention.js';
import type { Directory } from '../directory/directory.js';
import type { QueueOptions } from './queues/queue-options.js';

/** To clients that do not know archived channels, one ended when it was archived: they are told of nothing in it. */
export function isShownChannel(
  channelId: number,
  directory: Directory,
  { capabilities }: Pick<QueueOptions, 'capabilities'>,
): boolean {
  return capabilities.archived_channels || directory.channel(channelId)?.isArchived !== true;
}

/** What a person wants to hear of, without topics of channels that a client is told nothing of. */
export function shownAttention(
  attention: Attention,
  directory: Directory,
  options: Pick<QueueOptions, 'capabilities'>,
): Attention {
  const topics = attention.topics.filter(({ channelId }) => isShownChannel(channelId, directory, options));
  return { ...attention, topics };
}
