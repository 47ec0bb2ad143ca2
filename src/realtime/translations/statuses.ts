import type { StatusEvent } from '../../statuses/events.js';
import { emojiFields } from '../../statuses/status-object.js';
import type { Translations } from '../translation.js';

/** What people say of what they are about: only what is other than it was is told. */
export const statusTranslations: Translations<StatusEvent> = {
  UserStatusChanged: {
    notices: ({ data: { userId, text, emoji } }) => [
      {
        to: 'everyone',
        event: {
          type: 'user_status',
          user_id: userId,
          ...(text === null ? {} : { status_text: text }),
          ...(emoji === null ? {} : emojiFields(emoji === 'none' ? null : emoji)),
        },
      },
    ],
  },
};
