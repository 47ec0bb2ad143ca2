import { Injectable } from '@nestjs/common';
import { FoldedStreams } from '../../../stores/event-store/folded-streams.js';
import type { Caller } from '../../../http/caller.js';
import type { RecordedEvent } from '../../../kernel/event.js';
import { handle } from '../../../kernel/handle.js';
import { Actors, type Acting } from '../actors.js';
import {
  channelFoldersFold,
  channelFoldersStream,
  type ChannelFolders,
} from '../../../access/records/channel-folders.js';
import type { ChannelFolderEvent } from '../../../events/channel-folders.js';

/** Decisions about channel folders, appended to the stream that guards them. */
@Injectable()
export class FolderStream {
  constructor(
    private readonly streams: FoldedStreams,
    private readonly actors: Actors,
  ) {}

  /** @returns what was appended, in order; nothing when nothing was to change */
  async decide(
    caller: Caller,
    decide: (state: ChannelFolders, by: Acting) => readonly ChannelFolderEvent[],
  ): Promise<readonly RecordedEvent<ChannelFolderEvent>[]> {
    const by = this.actors.acting(caller);
    const appended = await handle(this.streams, {
      stream: channelFoldersStream,
      fold: channelFoldersFold,
      decide: (state) => decide(state, by),
      metadata: this.actors.metadata(caller, by),
    });
    return appended?.events ?? [];
  }
}
