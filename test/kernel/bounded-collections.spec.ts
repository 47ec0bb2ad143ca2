import { describe, expect, it } from '@jest/globals';
import { noAttention } from '../../src/contexts/attention/attention.state.js';
import {
  decideAddAlertWords,
  decideAutomaticVisibility,
  decideMutePerson,
  decideTopicVisibility,
} from '../../src/contexts/attention/attention.decide.js';
import { visibilityPolicies } from '../../src/events/attention.js';
import { decideAddCustomEmoji } from '../../src/contexts/emoji/custom-emoji.decide.js';
import { customEmojiFold } from '../../src/access/records/custom-emoji.js';
import { budgets } from '../../src/kernel/budgets.js';
import { fieldDataOf } from '../../src/access/records/field-data.js';
import { fieldTypes } from '../../src/events/values/field-types.js';
import { decideRegisterDevice } from '../../src/contexts/push/devices.decide.js';
import { devicesFold, DEVICES_STREAM } from '../../src/contexts/push/devices.state.js';
import type { Channel } from '../../src/access/records/channel.js';
import { createChannels } from '../../src/contexts/channels/new-channels.decide.js';
import { PersistentMap } from '../../src/kernel/persistent-map.js';
import { decideCreateUserGroup } from '../../src/contexts/users/user-groups.decide.js';
import type { User } from '../../src/access/records/user.js';
import { bo, created, given, iago } from './channels-world.js';
import { defaultChannelSettings } from '../support/default-channel-settings.js';
import { refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const userId = 3;

function numbered(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `number ${index}`);
}

it('The alert words of one account have a maximum number, which is another one for bots', () => {
  const add = (count: number, isBot: boolean) =>
    decideAddAlertWords(noAttention, numbered(count), { userId, isBot });
  expect(add(budgets.alertWords.max, false)).toHaveLength(1);
  expect(refusal(() => add(budgets.alertWords.max + 1, false))).toBe('tooManyAlertWords');
  expect(add(budgets.alertWordsOfBot.max, true)).toHaveLength(1);
  expect(refusal(() => add(budgets.alertWordsOfBot.max + 1, true))).toBe('tooManyAlertWords');
});

it('The people whom a person mutes have a maximum number', () => {
  const muted = (count: number) => ({
    ...noAttention,
    mutedPeople: Array.from({ length: count }, (_, index) => ({ userId: 100 + index, since: 0 })),
  });
  const { max } = budgets.mutedPeople;
  expect(decideMutePerson(muted(max - 1), 9, { userId })).toHaveLength(1);
  expect(refusal(() => decideMutePerson(muted(max), 9, { userId }))).toBe('tooManyMutedPeople');
});

it('The topics for which a person has set a visibility policy are limited in number', () => {
  const policy = visibilityPolicies.followed;
  const about = (topic: string) => ({ channelId: 1, topic, policy });
  const chosen = (count: number) => ({
    ...noAttention,
    topics: numbered(count).map((topic) => ({ ...about(topic), topicKey: topic, changedAt: 0 })),
  });
  const { max } = budgets.topicPolicies;
  const [room, full] = [chosen(max - 1), chosen(max)];
  expect(decideTopicVisibility(room, about('new'), { userId })).toHaveLength(1);
  expect(refusal(() => decideTopicVisibility(full, about('new'), { userId }))).toBe('tooManyTopicPolicies');
  const known = { ...about('number 7'), policy: visibilityPolicies.muted };
  expect(decideTopicVisibility(full, known, { userId })).toHaveLength(1);
  const takenBack = { ...known, policy: visibilityPolicies.none };
  expect(decideTopicVisibility(full, takenBack, { userId })).toHaveLength(1);
  expect(decideAutomaticVisibility(room, about('new'), { userId })).toHaveLength(1);
  expect(decideAutomaticVisibility(full, about('new'), { userId })).toEqual([]);
});

it('The choices of a profile field have a maximum number', () => {
  const offer = (count: number): string => {
    const choices = numbered(count).map((text, index) => [String(index), { text, order: String(index) }]);
    return fieldDataOf(fieldTypes.SELECT.id, Object.fromEntries(choices));
  };
  expect(Object.keys(JSON.parse(offer(budgets.profileFieldChoices.max)) as object)).toHaveLength(
    budgets.profileFieldChoices.max,
  );
  expect(refusal(() => offer(budgets.profileFieldChoices.max + 1))).toBe('invalidFieldData');
});

describe('The data of a profile field', () => {
  const choice = (key: number, text: number, order: number): string | null =>
    refusal(() => {
      const data = { ['k'.repeat(key)]: { text: 't'.repeat(text), order: '1'.repeat(order) } };
      return fieldDataOf(fieldTypes.SELECT.id, data);
    });
  const short = budgets.profileFieldChoiceText.max;
  const order = budgets.profileFieldChoiceOrder.max;

  it('has choices with short keys, texts and orders', () => {
    expect(choice(short, short, order)).toBeNull();
    expect(choice(short + 1, 1, 1)).toBe('invalidFieldData');
    expect(choice(1, short + 1, 1)).toBe('invalidFieldData');
    expect(choice(1, 1, order + 1)).toBe('invalidFieldData');
  });

  it('has a URL pattern of a maximum length', () => {
    const pattern = (length: number): string | null => {
      const url_pattern = 'https://example.com/%(username)s'.padEnd(length, 'x');
      return refusal(() => fieldDataOf(fieldTypes.EXTERNAL_ACCOUNT.id, { subtype: 'custom', url_pattern }));
    };
    const { max } = budgets.profileFieldPattern;
    expect([pattern(max), pattern(max + 1)]).toEqual([null, 'invalidFieldData']);
  });

  it('has a maximum length as a whole', () => {
    const { max } = budgets.profileFieldData;
    const data = (excess: number): object => {
      // The excess is taken off the texts of two choices.
      const cut = [Math.ceil(excess / 2), Math.floor(excess / 2)];
      const choices = numbered(Math.ceil(max / 132)).map((text, index) => [
        `k${String(index).padStart(4, '0')}`,
        { text: text.padEnd(short - (cut[index] ?? 0), '.'), order: '1' },
      ]);
      return Object.fromEntries(choices) as object;
    };
    const excess = JSON.stringify(data(0)).length - max;
    expect(fieldDataOf(fieldTypes.SELECT.id, data(excess))).toHaveLength(max);
    expect(refusal(() => fieldDataOf(fieldTypes.SELECT.id, data(excess - 1)))).toBe('invalidFieldData');
  });
});

it('The devices of a person are limited in number, independently of the devices of others', () => {
  const log = new TestLog();
  const devices = () => log.fold(devicesFold, DEVICES_STREAM);
  for (let count = 0; count < budgets.devices.max; count += 1) {
    log.append(DEVICES_STREAM, decideRegisterDevice(devices(), userId));
  }
  expect(refusal(() => decideRegisterDevice(devices(), userId))).toBe('tooManyDevices');
  expect(decideRegisterDevice(devices(), userId + 1)).toHaveLength(1);
});

it('The custom emoji of an organization have a maximum number', () => {
  const organization = new TestOrganization();
  const actor = { user: organization.user(organization.register()), snapshot: organization.snapshot() };
  const image = { fileName: 'x.png', stored: { name: '1/emoji/x', contentKey: 'key', size: 9 } };
  const [first] = decideAddCustomEmoji(customEmojiFold.initial, { name: 'first', image }, actor);
  const log = new TestLog();
  log.append('emoji', [first!]);
  const [emoji] = log.fold(customEmojiFold, 'emoji').emoji;
  const set = (count: number) => ({
    ...customEmojiFold.initial,
    emoji: Array.from({ length: count }, () => emoji!),
  });
  const add = (count: number) => decideAddCustomEmoji(set(count), { name: 'another', image }, actor);
  expect(add(budgets.customEmoji.max - 1)).toHaveLength(1);
  expect(refusal(() => add(budgets.customEmoji.max))).toBe('tooManyCustomEmoji');
});

it('The user groups of an organization have a maximum number', () => {
  const organization = new TestOrganization();
  const by = { user: organization.user(organization.register()), snapshot: organization.snapshot() };
  const group = { name: 'another', description: '', memberIds: [], subgroupIds: [], permissions: {} };
  const { groups } = organization.groups;
  const [some] = [...groups.values()];
  const state = (count: number) => ({
    ...organization.groups,
    groups: PersistentMap.from(Array.from({ length: count }, (_, id) => [id + 1, some!])),
  });
  expect(decideCreateUserGroup(state(budgets.userGroups.max - 1), group, by)).toHaveLength(1);
  expect(refusal(() => decideCreateUserGroup(state(budgets.userGroups.max), group, by))).toBe(
    'tooManyUserGroups',
  );
});

it('The channels that one person created are limited in number, independently of those of others', () => {
  const max = budgets.channelsOfPerson.max;
  const world = given([created(1), created(2, { creatorId: bo.id })]);
  const [own, others] = [world.channel(1), world.channel(2)];
  const having = (count: number) => ({
    ...world.channels,
    channels: PersistentMap.from([
      ...Array.from({ length: count }, (_, id): [number, Channel] => [id + 1, own]),
      [max + 10, others],
    ]),
  });
  const request = { name: 'another', description: '', color: null };
  const channels = {
    requests: [request],
    settings: defaultChannelSettings,
    subscriberIds: [],
    announce: false,
    continuation: [],
    notify: false,
  };
  const create = (count: number, creator: User) =>
    createChannels({ snapshot: world.snapshot, creator, directory: having(count) }, channels);
  expect(create(max - 1, iago)).toHaveLength(1);
  expect(create(max, bo)).toHaveLength(1);
  expect(refusal(() => create(max, iago))).toBe('tooManyChannels');
});
