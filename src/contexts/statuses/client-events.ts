import type { User } from '../../access/records/user.js';
import type { Snapshot } from '../../access/snapshot.js';
import { UserSettingChanged } from '../../events/settings.js';
import type { StatusEvent } from '../../events/statuses.js';
import { isEvent, type RecordedEvent } from '../../kernel/event.js';
import type { ClientEvent } from '../../realtime/client-event.js';
import type { InitialState } from '../../realtime/initial-state.js';
import type { Mappers } from '../../realtime/mapper.js';
import type { AcquaintanceModels } from '../users/client-models.js';
import { KnownPeople } from '../../access/known-people.js';
import { emojiFields, statusObject } from './queries/status.js';

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

/** The status that a person has, for those who did not know the person or the status. */
export function presentStatus({ id, isActive, bot }: User, { directory }: Snapshot): readonly ClientEvent[] {
  if (!isActive || bot !== null) return [];
  const status = statusObject(directory, id);
  return Object.keys(status).length === 0 ? [] : [{ type: 'user_status', user_id: id, ...status }];
}

/** Ends the status of a person who was deactivated: the statuses of deactivated people are not shown. */
export function endedStatus({ id, bot }: User, { directory }: Snapshot): readonly ClientEvent[] {
  const status = statusObject(directory, id);
  if (bot !== null || Object.keys(status).length === 0) return [];
  return [
    {
      type: 'user_status',
      user_id: id,
      ...('away' in status ? { away: false } : {}),
      ...('status_text' in status ? { status_text: '' } : {}),
      ...('emoji_name' in status ? emojiFields(null) : {}),
    },
  ];
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
