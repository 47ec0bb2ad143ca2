import { UserSettingChanged } from '../../events/settings.js';
import type { StatusEvent } from '../../events/statuses.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { Mappers } from '../../realtime/mapper.js';
import type { AcquaintanceModels } from '../users/client-models.js';
import { KnownPeople } from '../../access/known-people.js';
import { emojiFields, statusObject } from '../users/client-events/person-status.js';

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

/** The statuses of people whom the person may know. */
export const statusState: InitialState<AcquaintanceModels> = {
  user_status: async ({ user: viewer, snapshot, models }) => {
    const { directory } = snapshot;
    const knows = await new KnownPeople(models).predicateFor(viewer, snapshot);
    return {
      user_status: Object.fromEntries(
        [...directory.users()]
          .filter((user) => user.isActive && user.bot === null && knows(user))
          .map(({ id }) => [id, statusObject(directory, id)] as const)
          .filter(([, status]) => Object.keys(status).length > 0),
      ),
    };
  },
};
