import { isSubscribed } from '../../channels/subscription.js';
import type { Moment } from '../../directory/moment.js';
import { messageAccess, type MessagePlace } from '../../messages/access.js';
import type { Arrivals } from '../../messages/arrivals.js';
import type { User } from '../../users/user.js';

/** Where messages lie that somebody may see, as of a moment. */
export interface MessageView {
  readonly moment: Moment;
  readonly arrivals: Arrivals;
}

/**
 * Whether a person is told of what happens to a message: one that they received and may still read, or that lies in the history
 * of a channel that they are subscribed to.
 */
export function isToldOf(place: MessagePlace, { moment, arrivals }: MessageView): (user: User) => boolean {
  return (user) => {
    const access = messageAccess({ moment, user, arrivals }, place);
    if (access !== 'historical') return access === 'received';
    return isSubscribed(moment.directory.subscription(place.channelId ?? 0, user.id));
  };
}
