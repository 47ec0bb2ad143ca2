import type { StatusEvent } from '../../statuses/events.js';
import { emojiFields } from '../../statuses/status-object.js';
import type { RecordedEvent } from '../../kernel/event.js';
import type { SettingEvent } from '../../settings/events.js';
import type { Translations } from '../translation.js';

/** What people say of what they are about: only what is other than it was is told, and what changed together in one. */
export const statusTranslations: Translations<StatusEvent> = {
  UserStatusChanged: {
    notices: ({ data: { userId, text, emoji } }, { appended }) => [
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

/** Whether a status was changed together with the setting that older clients know as a part of it. */
export function changesStatus(appended: readonly RecordedEvent[]): boolean {
  return appended.some(({ type }) => type === 'UserStatusChanged');
}

function awayIn(appended: readonly RecordedEvent[]): { readonly away?: boolean } {
  for (const event of appended as unknown as readonly RecordedEvent<SettingEvent | StatusEvent>[]) {
    if (event.type !== 'UserSettingChanged' || event.data.setting !== 'presence_enabled') continue;
    return { away: event.data.value !== true };
  }
  return {};
}
