import type { RecordedEvent } from '../src/kernel/event.js';
import type { FlagEvent } from '../src/messages/flags/events.js';
import { evolveFlags, noFlags, type PersonalFlagsDocument } from '../src/messages/flags/personal-flags.js';
import type { BatchedHandler, Projection } from './engine/projection.js';

const flags: BatchedHandler = {
  reads: (event) => [{ collection: 'flags', id: (event as RecordedEvent<FlagEvent>).data.userId }],
  apply: (event, documents) => {
    const { revision, ...change } = event as RecordedEvent<FlagEvent>;
    const { userId } = change.data;
    const document = documents.get<PersonalFlagsDocument>('flags', userId);
    const { _id, revision: _before, ...before } = document ?? { ...noFlags, _id: userId, revision: -1 };
    return [{ collection: 'flags', put: { ...evolveFlags(before, change), _id, revision } }];
  },
};

/** What people read, starred and collapsed: one document a person. */
export const flagsProjection: Projection = {
  name: 'flags',
  version: 1,
  collections: [{ name: 'flags', indexes: [] }],
  on: {
    MessagesMarkedRead: flags,
    MessagesMarkedUnread: flags,
    MessagesStarred: flags,
    MessagesUnstarred: flags,
    MessagesCollapsed: flags,
    MessagesUncollapsed: flags,
  },
};
