import type { Directory } from '../../access/directory.js';
import type { QueueOptions } from '../../realtime/queues/queue-options.js';
import { isShownChannel } from '../../realtime/shown-channels.js';
import type { Attention } from './attention.state.js';

/** A person's attention settings, without topics of channels that a client does not get. */
export function shownAttention(
  attention: Attention,
  directory: Directory,
  options: Pick<QueueOptions, 'capabilities'>,
): Attention {
  const topics = attention.topics.filter(({ channelId }) => isShownChannel(channelId, directory, options));
  return { ...attention, topics };
}
