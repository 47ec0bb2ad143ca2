import { LRUCache } from 'lru-cache';
import type { Directory } from '../../access/directory.js';
import type { Channel } from '../../access/records/channel.js';
import { shownPermissions } from '../../access/permission-value.js';
import { renderDescription } from '../../markdown/render.js';
import { Injectable } from '../../runtime/nest-decorators.js';
import { SharedTimeSlice } from '../../runtime/time-slice.js';
import { channelFields } from './channels.view.js';
import { ChannelStatistics, noActivity } from './statistics.js';

/** Renders descriptions as HTML. Each text is rendered once, however often its channel is listed. */
@Injectable()
export class Descriptions {
  private readonly rendered = new LRUCache<string, string>({ max: 10_000 });

  /** @param description Markdown; names in it are not resolved */
  html(description: string): string {
    if (description === '') return '';
    let html = this.rendered.get(description);
    if (html === undefined) {
      html = renderDescription(description);
      this.rendered.set(description, html);
    }
    return html;
  }
}

/** Formats any number of channels for the API with one query of the model of messages. */
@Injectable()
export class ChannelListing {
  constructor(
    private readonly statistics: ChannelStatistics,
    private readonly descriptions: Descriptions,
  ) {}

  /** In the order of the given channels; yields to other requests in between. */
  async fieldsOf(directory: Directory, channels: readonly Channel[]): Promise<Record<string, unknown>[]> {
    const activities = await this.statistics.forChannels(channels.map(({ id }) => id));
    const listed: Record<string, unknown>[] = [];
    const slice = new SharedTimeSlice();
    for (const channel of channels) {
      if (slice.isOver) await slice.next();
      listed.push(
        channelFields(channel, {
          activity: activities.get(channel.id) ?? noActivity,
          subscriberCount: directory.subscriberCount(channel.id),
          permissions: shownPermissions(directory, channel.permissions),
          renderedDescription: this.descriptions.html(channel.description),
        }),
      );
    }
    return listed;
  }
}

/** The order of channels in lists. */
export function byName(a: Channel, b: Channel): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
