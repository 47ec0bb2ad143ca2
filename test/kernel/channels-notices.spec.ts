import { describe, expect, it, jest } from '@jest/globals';
import { createdTogether } from '../../src/contexts/channels/channels.state.js';
import { noticesFor, type NoticedEvent } from '../../src/contexts/channels/channel-notices.js';
import type { Notice } from '../../src/contexts/channels/notices.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { systemGroupIds } from '../../src/events/values/organization-defaults.js';
import {
  ada,
  bo,
  created,
  given,
  gone,
  iago,
  iagosBot,
  openPrivacy,
  privatePrivacy,
  record,
  type World,
} from './channels-world.js';

const world = given([created(1), created(2)]);

function notices(event: NoticedEvent, { snapshot }: World = world): readonly Notice[] {
  const [recorded] = record([event], { actorId: iago.id });
  return noticesFor(recorded!, snapshot.directory, []);
}

const inChannel = (text: string): Notice[] => [
  { to: { channelId: 1, topic: 'channel events' }, content: text, causationId: 'event-0' },
];

describe('what a channel is told', () => {
  it('names its creator, its kind and its description when it is made', () => {
    const [notice] = inChannel(
      '**Private, protected history** channel created by @_**Person 3|3**. **Description:**\n\n' +
        '```` quote\nAll about `x`\n````',
    );
    expect(notices(created(1, { privacy: privatePrivacy, description: 'All about `x`' }))).toEqual([
      { ...notice, authorId: iago.id, readOnArrival: { everyone: false, except: [iago.id] } },
    ]);
  });

  it('quotes a description in a fence that it cannot close', () => {
    const [notice] = notices(created(1, { description: '`````' }));
    expect(notice?.content).toContain('`````` quote\n`````\n``````');
  });

  it('names both names when it is renamed', () => {
    const event = { channelId: 1, name: 'new', previousName: 'old' };
    expect(notices({ type: 'ChannelRenamed', data: event })).toEqual(
      inChannel('@_**Person 3|3** renamed channel **old** to **new**.'),
    );
  });

  it('stands under the empty topic where there is no other', () => {
    const single = given([created(1, { topicsPolicy: 'empty_topic_only' })]);
    const [notice] = notices({ type: 'ChannelUnarchived', data: { channelId: 1 } }, single);
    expect(notice?.to).toEqual({ channelId: 1, topic: '' });
  });

  it('quotes both descriptions, as words of who changed it', () => {
    const event = { channelId: 1, description: 'now', previousDescription: '' };
    const [notice] = inChannel(
      '@_**Person 3|3** changed the description for this channel.\n\n' +
        '**Old description:** *No description.*\n\n**New description:**\n\n```` quote\nnow\n````',
    );
    expect(notices({ type: 'ChannelDescriptionChanged', data: event })).toEqual([
      { ...notice, authorId: iago.id },
    ]);
  });

  it('names who could and who can see it', () => {
    const event = { channelId: 1, privacy: privatePrivacy, previousPrivacy: openPrivacy };
    expect(notices({ type: 'ChannelPrivacyChanged', data: event })).toEqual(
      inChannel(
        '@_**Person 3|3** changed the access permissions for this channel ' +
          'from **Public** to **Private, protected history**.',
      ),
    );
  });

  it('names who could and who can post', () => {
    const event = {
      channelId: 1,
      permissions: {
        can_send_message_group: { direct_members: [bo.id], direct_subgroups: [systemGroupIds.moderators] },
      },
      previousPermissions: { can_send_message_group: systemGroupIds.everyone },
    };
    expect(notices({ type: 'ChannelPermissionsChanged', data: event })).toEqual(
      inChannel(
        '@_**Person 3|3** changed the posting permissions for this channel:\n\n' +
          '**Old permissions:** everyone\n\n**New permissions:** moderators, @_**Person 4|4**',
      ),
    );
  });

  it.each([
    [{ before: null, now: 30 }, 'as the organization keeps them', '30 days'],
    [{ before: -1, now: 1 }, 'forever', '1 day'],
  ])('names how long messages were and are kept', ({ before, now }, oldText, newText) => {
    const event = {
      channelId: 1,
      properties: { messageRetentionDays: now },
      previousProperties: { messageRetentionDays: before },
    };
    const [notice] = notices({ type: 'ChannelPropertiesChanged', data: event });
    expect(notice?.content).toContain(
      `**Old retention period:** ${oldText}\n\n**New retention period:** ${newText}`,
    );
  });

  it('says that it was archived, and by whom, to nobody as something that is yet to be read', () => {
    const [archived] = inChannel('@_**Person 3|3** archived this channel.');
    expect(notices({ type: 'ChannelArchived', data: { channelId: 1 } })).toEqual([
      { ...archived, readOnArrival: { everyone: true, except: [] } },
    ]);
  });

  it.each([
    [
      'other permissions',
      {
        type: 'ChannelPermissionsChanged',
        data: {
          channelId: 1,
          permissions: { can_resolve_topics_group: 2 },
          previousPermissions: { can_resolve_topics_group: 8 },
        },
      },
    ],
    [
      'other settings',
      {
        type: 'ChannelPropertiesChanged',
        data: { channelId: 1, properties: { isDefault: true }, previousProperties: { isDefault: false } },
      },
    ],
  ] as const satisfies readonly (readonly [string, NoticedEvent])[])('nothing of %s', (_what, event) => {
    expect(notices(event)).toEqual([]);
  });
});

describe('the channels that one request created', () => {
  it('are known from each of them, in order', () => {
    const [first, second, third, fourth] = [1, 2, 3, 4].map((id) => created(id));
    const events = [
      ...record([first!], { commandId: 'one' }),
      ...record([second!, third!], { commandId: 'two' }),
      ...record([fourth!], { commandId: 'three' }),
    ];
    const creations = new Map(events.map((event) => [event.data.channelId, event]));
    const idsWith = (at: number): number[] =>
      createdTogether({ creations: PersistentMap.from(creations) }, events[at]!).map(
        ({ data: { channelId } }) => channelId,
      );
    expect([0, 1, 2, 3].map(idsWith)).toEqual([[1], [2, 3], [2, 3], [4]]);
  });
});

describe('whom the notification bot tells that somebody subscribed them', () => {
  const joining = (notify: boolean, userIds: number[]): NoticedEvent => ({
    type: 'UsersSubscribed',
    data: {
      channelId: 1,
      userIds,
      afterMessageId: 0,
      color: null,
      notify,
      continuation: [{ channelId: 2, userIds: [bo.id], color: null }],
    },
  });

  it('is each person once, for all the channels of the request', () => {
    expect(notices(joining(true, [ada.id, bo.id]))).toEqual([
      {
        to: { userIds: [ada.id] },
        content: '@_**Person 3|3** subscribed you to the channel #**channel 1**.',
        causationId: 'event-0',
      },
      {
        to: { userIds: [bo.id] },
        content:
          '@_**Person 3|3** subscribed you to the following channels:\n\n* #**channel 1**\n* #**channel 2**',
        causationId: 'event-0',
      },
    ]);
  });

  it('costs one link for each channel, however many people there are', () => {
    const { directory } = world.snapshot;
    const [one, other] = [1, 2].map((id) => directory.channel(id)!);
    let names = 0;
    const counting: typeof one = new Proxy(one!, {
      get: (channel, member) => {
        names += Number(member === 'name');
        return Reflect.get(channel, member) as unknown;
      },
    });
    const channels = jest.spyOn(directory, 'channel');
    channels.mockImplementation((id) => (id === 1 ? counting : other!));
    const readFor = (userIds: number[]): number => {
      names = 0;
      notices(joining(true, userIds));
      return names;
    };
    const once = readFor([ada.id]);
    expect(once).toBeGreaterThan(0);
    expect(readFor([ada.id, bo.id])).toBe(once);
    channels.mockRestore();
  });

  it('is nobody who did it themselves, no bot, and nobody who is gone', () => {
    const only = (userIds: number[]): NoticedEvent => {
      const event = joining(true, userIds);
      return { ...event, data: { ...event.data, continuation: [] } } as NoticedEvent;
    };
    expect(notices(only([iago.id, iagosBot.id, gone.id]))).toEqual([]);
  });

  it('is nobody when the request says so', () => {
    expect(notices(joining(false, [bo.id]))).toEqual([]);
  });

  it('is nobody for a new channel, but everybody for existing channels that the same request names', () => {
    const continuation = [{ channelId: 2, userIds: [bo.id], color: null }];
    const event = created(1, { subscriberIds: [bo.id, ada.id], continuation, notify: true });
    expect(notices(event).map(({ to }) => to)).toEqual([
      { channelId: 1, topic: 'channel events' },
      { userIds: [bo.id] },
    ]);
  });
});
