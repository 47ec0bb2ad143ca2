import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Channel } from '../../src/access/records/channel.js';
import type { User } from '../../src/access/records/user.js';
import { decideChannelUpdate } from '../../src/contexts/channels/channel-update.decide.js';
import type { ChannelDirectory } from '../../src/contexts/channels/channels.state.js';
import { decideCreatingChannel } from '../../src/contexts/channels/new-channels.decide.js';
import { decideSubscribing } from '../../src/contexts/channels/subscribing.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { renderDescription, renderMarkdown } from '../../src/markdown/render.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';
import { refusal } from '../support/given.js';
import { ada, bo, created, gil, given, iago } from './channels-world.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('what the permissions of the channels of one creator name', () => {
  const world = given([created(1), created(2, { creatorId: bo.id })]);
  const { max } = budgets.namedInChannelsOfPerson;

  /** The channel 1, whose permissions name so many people, and the channel 2 of another creator. */
  function naming(count: number): ChannelDirectory {
    const [own, others] = [world.channel(1), world.channel(2)];
    const people = { direct_members: Array.from({ length: count }, (_, id) => id + 1), direct_subgroups: [] };
    const permissions = { ...own.permissions, can_administer_channel_group: 2, can_subscribe_group: people };
    const channels: readonly [number, Channel][] = [
      [1, { ...own, permissions }],
      [2, others],
    ];
    return { ...world.channels, channels: PersistentMap.from(channels) };
  }

  const twoPeople = { direct_members: [iago.id, bo.id], direct_subgroups: [] };

  it('is limited when another one is created, for that creator only', () => {
    const create = (directory: ChannelDirectory, user: User) =>
      decideCreatingChannel(
        directory,
        {
          name: 'another',
          description: '',
          subscriberIds: [],
          announce: false,
          settings: {
            ...defaultChannelSettings,
            permissions: { can_administer_channel_group: twoPeople, can_add_subscribers_group: twoPeople },
          },
        },
        { snapshot: world.snapshot, user },
      );
    expect(create(naming(max - 4), iago)).toHaveLength(1);
    expect(refusal(() => create(naming(max - 3), iago))).toBe('channelsNameTooMany');
    expect(create(naming(max), bo)).toHaveLength(1);
  });

  it('is limited when a permission changes, unless it then names fewer', () => {
    const change = (directory: ChannelDirectory, user: User, direct_members: number[]) =>
      decideChannelUpdate(
        directory,
        {
          channelId: 1,
          changes: { permissions: { can_add_subscribers_group: { new: { ...twoPeople, direct_members } } } },
        },
        { snapshot: world.snapshot, user, hasOnlyEmptyTopic: false },
      );
    const present = world.channel(1).permissions.can_add_subscribers_group;
    expect(typeof present).toBe('number');
    expect(change(naming(max - 2), ada, [iago.id, bo.id])).toHaveLength(1);
    expect(refusal(() => change(naming(max - 1), ada, [iago.id, bo.id]))).toBe('channelsNameTooMany');
    const fewer = { can_subscribe_group: { new: twoPeople } };
    const command = { channelId: 1, changes: { permissions: fewer } };
    const context = { snapshot: world.snapshot, user: ada, hasOnlyEmptyTopic: false };
    expect(decideChannelUpdate(naming(max + 5), command, context)).toHaveLength(1);
  });
});

describe('the subscriptions to the channels of one creator', () => {
  const world = given([created(1), created(2, { creatorId: bo.id })]);
  const { max } = budgets.subscriptionsToChannelsOfPerson;
  const { directory } = world.snapshot;

  function subscribe(
    present: number,
    user: User,
    { names, userIds }: { readonly names: readonly string[]; readonly userIds: readonly number[] },
  ) {
    jest.spyOn(directory, 'subscriptionCount').mockImplementation((id) => (id === 1 ? present : 0));
    return decideSubscribing(
      world.channels,
      {
        channels: names.map((name) => ({ name, description: '', color: null })),
        userIds,
        settings: defaultChannelSettings,
        announce: false,
        notify: false,
        refusalIsFatal: true,
      },
      { snapshot: world.snapshot, user, isSubscriber: world.isSubscriber, lastMessageId: 0 },
    ).events;
  }

  it('are limited when somebody subscribes others, to old and to new channels', () => {
    const others = [bo.id, gil.id];
    expect(subscribe(max - 2, iago, { names: ['channel 1'], userIds: others })).toHaveLength(1);
    expect(refusal(() => subscribe(max - 1, iago, { names: ['channel 1'], userIds: others }))).toBe(
      'tooManySubscriptions',
    );
    expect(refusal(() => subscribe(max - 1, iago, { names: ['another'], userIds: others }))).toBe(
      'tooManySubscriptions',
    );
    expect(
      refusal(() => subscribe(max - 3, iago, { names: ['channel 1', 'another'], userIds: others })),
    ).toBe('tooManySubscriptions');
    expect(subscribe(max, bo, { names: ['channel 2', 'another'], userIds: others })).toHaveLength(1);
  });

  it('are not limited when people subscribe themselves', () => {
    expect(subscribe(max, bo, { names: ['channel 1'], userIds: [bo.id] })).toHaveLength(1);
    expect(subscribe(max, iago, { names: ['channel 1', 'another'], userIds: [iago.id] })).toHaveLength(1);
  });
});

describe('a description or a value of a profile', () => {
  const { max } = budgets.listedHtml;

  it('is rendered as a message is', () => {
    for (const text of ['Plans of the **mill**', 'plain', '', '$$x$$', '[a](https://example.com)\n\n* b'])
      expect(renderDescription(text)).toBe(text === '' ? '' : renderMarkdown(text, {}).html);
  });

  it('is shown as it was typed if its HTML would be too long', () => {
    const emoji = (count: number): string => ':tada: '.repeat(count);
    expect(renderDescription(emoji(10))).toContain('class="emoji');
    const typed = renderDescription(`<${emoji(140)}`);
    expect(typed.length).toBeLessThanOrEqual(max);
    expect(typed).toMatch(/^<p>&lt;:tada: :tada: /);
  });

  it('has as many formulas as there is room for', () => {
    const html = renderDescription('$$x$$ '.repeat(60));
    expect(html.length).toBeLessThanOrEqual(max);
    expect(html.split('class="katex"').length - 1).toBeGreaterThan(2);
    expect(html).toContain('$$x$$</span>');
  });
});
