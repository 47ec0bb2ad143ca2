import type { Directory } from '../../access/directory.js';
import type { QueueOptions } from '../../realtime/queues/queue-options.js';
import { isShownChannel } from '../../realtime/shown-channels.js';
import type { Attention } from './attention.state.js';

/** What a person wants to hear of, without topics of channels that a client is told nothing of. */
export function shownAttention(
  attention: Attention,
  directory: Directory,
  options: Pick<QueueOptions, 'capabilities'>,
): Attention {
  const topics = attention.topics.filter(({ channelId }) => isShownChannel(channelId, directory, options));
  return { ...attention, topics };
}
