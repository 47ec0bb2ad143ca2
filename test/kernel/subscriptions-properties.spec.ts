import { describe, expect, it } from '@jest/globals';
import {
  decideSetting,
  type PropertyRequest,
} from '../../src/contexts/channels/subscription-properties.decide.js';
import { created, given, iago, unsubscribed, type World } from './channels-world.js';

function set(world: World, ...requests: PropertyRequest[]): ReturnType<typeof decideSetting> {
  const { directory } = world.snapshot;
  return decideSetting(requests, {
    userId: iago.id,
    subscription: (channelId, userId) => directory.subscription(channelId, userId),
  });
}

const world = given([created(1, { subscriberIds: [3] }), created(2, { subscriberIds: [3] })]);

describe('setting how a channel looks and notifies', () => {
  it.each([
    ['#ABC', '#aabbcc'],
    ['#00FF7f', '#00ff7f'],
  ])('keeps the colour %s as %s', (sent, kept) => {
    expect(set(world, { channelId: 1, property: 'color', value: sent })).toMatchObject([
      {
        type: 'SubscriptionPropertyChanged',
        data: { channelId: 1, userId: 3, property: 'color', value: kept },
      },
    ]);
  });

  it('keeps in_home_view as the inverse of is_muted', () => {
    expect(set(world, { channelId: 1, property: 'in_home_view', value: false })).toMatchObject([
      { data: { property: 'is_muted', value: true } },
    ]);
  });

  it.each([
    'is_muted',
    'pin_to_top',
    'desktop_notifications',
    'audible_notifications',
    'push_notifications',
    'email_notifications',
    'wildcard_mentions_notify',
  ])('takes a boolean for %s, and nothing else', (property) => {
    expect(set(world, { channelId: 1, property, value: true })).toMatchObject([
      { data: { property, value: true } },
    ]);
    for (const value of ['true', null, 1]) {
      expect(() => set(world, { channelId: 1, property, value })).toThrow(
        expect.objectContaining({ row: 'invalidBooleanProperty' }),
      );
    }
  });

  it.each([
    ['color', 'red', 'invalidColor'],
    ['color', '#12345', 'invalidColor'],
    ['color', true, 'invalidColor'],
    ['shape', true, 'unknownSubscriptionProperty'],
  ])('refuses %s = %j', (property, value, row) => {
    expect(() => set(world, { channelId: 1, property, value })).toThrow(expect.objectContaining({ row }));
  });

  it('changes nothing that is as asked already', () => {
    expect(set(world, { channelId: 1, property: 'is_muted', value: false })).toEqual([]);
  });

  it('takes the last of several values for one property, under whatever name', () => {
    const values = (...requests: [string, unknown][]): unknown[] =>
      set(world, ...requests.map(([property, value]) => ({ channelId: 1, property, value }))).map(
        ({ data: { property, value } }) => [property, value],
      );
    expect(values(['is_muted', true], ['is_muted', false])).toEqual([]);
    expect(values(['is_muted', true], ['in_home_view', true])).toEqual([]);
    expect(values(['color', '#111'], ['pin_to_top', true], ['color', '#222'])).toEqual([
      ['color', '#222222'],
      ['pin_to_top', true],
    ]);
  });

  it('is refused alike for a channel that does not exist and one that the person left', () => {
    const left = given([created(1, { subscriberIds: [3] }), unsubscribed(1, [3])]);
    for (const channelId of [1, 99]) {
      expect(() => set(left, { channelId, property: 'is_muted', value: true })).toThrow(
        expect.objectContaining({ row: 'notSubscribed' }),
      );
    }
  });

  it('sets all of one channel at once and leaves the others to the continuation', () => {
    const events = set(
      world,
      { channelId: 1, property: 'is_muted', value: true },
      { channelId: 2, property: 'pin_to_top', value: true },
      { channelId: 1, property: 'color', value: '#000000' },
    );
    expect(events.map(({ data }) => [data.property, data.continuation])).toEqual([
      ['is_muted', [{ channelId: 2, property: 'pin_to_top', value: true }]],
      ['color', []],
    ]);
  });
});
