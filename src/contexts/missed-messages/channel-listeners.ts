import type { Snapshot } from '../../access/snapshot.js';
import { listenersIn } from './who-misses.js';

/**
 * The people who want notifications about every message of a channel, computed again only when the directory
 * has changed.
 */
export class ChannelListeners {
  private readonly byChannel = new Map<number, readonly number[]>();
  private position: number | null = null;

  in(snapshot: Snapshot, channelId: number): readonly number[] {
    const { position } = snapshot.directory;
    if (position !== this.position) this.byChannel.clear();
    this.position = position;
    let listeners = this.byChannel.get(channelId);
    if (listeners === undefined)
      this.byChannel.set(channelId, (listeners = listenersIn(snapshot, channelId)));
    return listeners;
  }
}
