import { describe, expect, it } from '@jest/globals';
import { limitedRetentions } from '../../src/contexts/messages/jobs.js';
import { createChannel } from '../support/channels.js';
import { atTheTime } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const day = 86_400;
const now = atTheTime + 100 * day * 1000;

/** How many days messages are kept, by channel; null: in direct messages. */
function keptDays(message_retention_days: number, channels: readonly (number | null)[]): unknown {
  const organization = new TestOrganization({ message_retention_days });
  for (const messageRetentionDays of channels) createChannel(organization, [], { messageRetentionDays });
  const kept = limitedRetentions(organization.snapshot(now));
  return kept.map(({ channelId, keptSince }) => [channelId, (now / 1000 - keptSince) / day]);
}

describe('messages are kept', () => {
  it('for ever, unless somebody says otherwise', () => {
    expect(keptDays(-1, [null, -1])).toEqual([]);
  });

  it('as the channel has it', () => {
    expect(keptDays(-1, [null, 30, -1, 1])).toEqual([
      [2, 30],
      [4, 1],
    ]);
  });

  it('as the organization has it, where the channel says nothing, and between people', () => {
    expect(keptDays(90, [null, 30, -1])).toEqual([
      [null, 90],
      [1, 90],
      [2, 30],
    ]);
  });
});
