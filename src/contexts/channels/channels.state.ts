import { stream } from '../../kernel/decision.js';
import { nameKey } from '../../kernel/text.js';
import type { Fold } from '../../kernel/fold.js';
import type { Recorded, RecordedEvent } from '../../kernel/event.js';
import { PersistentMap } from '../../kernel/persistent-map.js';
import { renamed } from '../../access/named-records.js';
import { evolveChannel, type Channel } from '../../access/records/channel.js';
import type { ChannelCreated, ChannelDirectoryEvent } from '../../events/channels.js';

/** The stream that reserves the names of channels and holds the settings of each. */
export const CHANNELS_STREAM = 'channels';

/** All channels, folded from the stream `channels`: what decisions about names and settings depend on. */
export interface ChannelDirectory {
  readonly channels: PersistentMap<number, Channel>;
  readonly idsByName: PersistentMap<string, number>;
  /** The creation of each channel: its first subscribers are in no other event. */
  readonly creations: PersistentMap<number, Recorded<typeof ChannelCreated>>;
  /** Revision of the stream's next event. */
  readonly nextRevision: number;
}

/** Folds the stream `channels`. */
export const channelDirectoryFold: Fold<ChannelDirectory, RecordedEvent<ChannelDirectoryEvent>> = {
  snapshot: { name: 'channels', version: 2 },
  initial: {
    channels: PersistentMap.empty(),
    idsByName: PersistentMap.empty(),
    creations: PersistentMap.empty(),
    nextRevision: 0,
  },
  evolve(directory, event) {
    const { channelId } = event.data;
    const before = directory.channels.get(channelId) ?? null;
    const channel = evolveChannel(before, event);
    if (channel === null) return { ...directory, nextRevision: event.revision + 1 };
    return {
      channels: directory.channels.set(channelId, channel),
      idsByName: renamed(directory.idsByName, before, channel),
      creations:
        event.type === 'ChannelCreated' ? directory.creations.set(channelId, event) : directory.creations,
      nextRevision: event.revision + 1,
    };
  },
};

/** The stream of the channels, for decisions about them. */
export const foldedChannels = stream(CHANNELS_STREAM, channelDirectoryFold);

/** The channel with a name, ignoring case; archived channels keep their names. */
export function channelNamed(directory: ChannelDirectory, name: string): Channel | null {
  const id = directory.idsByName.get(nameKey(name));
  return id === undefined ? null : (directory.channels.get(id) ?? null);
}

/** The channels that one command created, in order: their ids are consecutive because their events are. */
export function createdTogether(
  { creations }: Pick<ChannelDirectory, 'creations'>,
  { data: { channelId }, metadata: { commandId } }: Recorded<typeof ChannelCreated>,
): readonly Recorded<typeof ChannelCreated>[] {
  const oneOfThem = (id: number): Recorded<typeof ChannelCreated> | null => {
    const creation = creations.get(id);
    return creation?.metadata.commandId === commandId ? creation : null;
  };
  let first = channelId;
  while (oneOfThem(first - 1) !== null) first -= 1;
  const together = [];
  for (let next = oneOfThem(first); next !== null; next = oneOfThem(first + together.length)) {
    together.push(next);
  }
  return together;
}
