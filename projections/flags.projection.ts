import { flagsModel } from '../src/contexts/messages/read-model.js';
import type { RecordedEvent } from '../src/kernel/event.js';
import { flagEvents, type FlagEvent } from '../src/events/message-flags.js';
import {
  evolveFlags,
  noFlags,
  type PersonalFlagsDocument,
} from '../src/contexts/messages/flags/flags.state.js';
import { on, type BatchedHandler, type Projection } from './engine/projection.js';

const flags: BatchedHandler<RecordedEvent<FlagEvent>> = {
  reads: (event) => [{ collection: 'flags', id: event.data.userId }],
  apply: (event, documents) => {
    const { revision, ...change } = event;
    const { userId } = change.data;
    const document = documents.get<PersonalFlagsDocument>('flags', userId);
    const { _id, revision: _before, ...before } = document ?? { ...noFlags, _id: userId, revision: -1 };
    return [{ collection: 'flags', put: { ...evolveFlags(before, change), _id, revision } }];
  },
};

/** The flags of people (read, starred, collapsed and others): one document per person. */
export const flagsProjection: Projection = {
  ...flagsModel,
  on: on(flagEvents, flags),
};
