import type { StatusEvent } from '../../events/statuses.js';
import { emojiFields } from './status-object.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import { UserSettingChanged } from '../../events/settings.js';
import type { Mappers } from '../../realtime/mapper.js';

/** Client events about statuses: only what changed, and simultaneous changes in one event. */
export const statusMappers: Mappers<StatusEvent> = {
  UserStatusChanged: {
    clientEvents: ({ data: { userId, text, emoji } }, { appended }) => [
      {
        to: 'everyone',
        event: {
          type: 'user_status',
          user_id: userId,
          ...awayIn(appended),
          ...(text === null ? {} : { status_text: text }),
          ...(emoji === null ? {} : emojiFields(emoji === 'none' ? null : emoji)),
        },
      },
    ],
  },
};

function awayIn(appended: readonly RecordedEvent[]): { readonly away?: boolean } {
  for (const event of appended) {
    if (!isEvent(event, UserSettingChanged) || event.data.setting !== 'presence_enabled') continue;
    return { away: event.data.value !== true };
  }
  return {};
}
