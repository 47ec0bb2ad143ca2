import { noUploads } from '../../src/contexts/messages/sending/compose-text.js';
import { describe, expect, it } from '@jest/globals';
import {
  automaticAttentionFold,
  noAttention,
  type AutomaticAttention,
} from '../../src/contexts/attention/attention.state.js';
import {
  decideAutomaticVisibility,
  decideMoveTopicPolicy,
} from '../../src/contexts/attention/attention.decide.js';
import { policyByBecomingFirst } from '../../src/contexts/attention/topic-visibility.js';
import type { AttentionEvent, VisibilityPolicy } from '../../src/events/attention.js';
import type { Mentions } from '../../src/events/messages.js';
import { markReadOnArrival } from '../../src/contexts/messages/moves/move-notices.decide.js';
import { policiesBySending } from '../../src/contexts/messages/sending/automatic-topic-policies.js';
import type { SettingEvent } from '../../src/events/settings.js';
import type { UserSettings } from '../../src/events/values/setting-table.js';
import { createChannel } from '../support/channels.js';
import { TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const ada = { userId: 3 };
const [none, muted, unmuted, followed] = [0, 1, 2, 3] as const;
const looms = { channelId: 1, topic: 'looms' };
const weaving = { channelId: 2, topic: 'weaving' };

function setTo(topic: typeof looms, policy: VisibilityPolicy): AttentionEvent {
  return { type: 'TopicVisibilityChanged', data: { ...ada, ...topic, policy } };
}

function attentionAfter(
  events: readonly AttentionEvent[],
  causationId: string | null = null,
): AutomaticAttention {
  const log = new TestLog();
  log.append('user-3', events, { causationId });
  return log.fold<AutomaticAttention, AttentionEvent>(automaticAttentionFold, 'user-3');
}

describe('what a person wants to hear of a topic', () => {
  it.each([
    [followed, none, false, true, [setTo(looms, none), setTo(weaving, followed)]],
    [muted, none, false, true, [setTo(looms, none), setTo(weaving, muted)]],
    [muted, none, true, true, [setTo(looms, none)]],
    [muted, followed, true, true, [setTo(looms, none)]],
    [unmuted, muted, true, true, [setTo(looms, none), setTo(weaving, unmuted)]],
    [none, muted, true, true, [setTo(weaving, none)]],
    [none, followed, false, true, [setTo(weaving, none)]],
    [followed, followed, true, true, [setTo(looms, none)]],
    [followed, none, false, false, [setTo(looms, none)]],
    [none, none, false, true, []],
  ] as const)(
    'was %i, and %i where it moved to (with messages: %s, kept: %s)',
    (...[old, present, targetHadMessages, keepsMessages, expected]) => {
      const policies = [setTo(looms, old), setTo(weaving, present)];
      const { attention } = attentionAfter(
        policies.filter(({ data }) => 'policy' in data && data.policy !== none),
      );
      const moved = { from: looms, to: weaving, targetHadMessages, keepsMessages };
      expect(decideMoveTopicPolicy(attention, moved, ada)).toEqual(expected);
    },
  );

  it('knows what was made of it because of other events', () => {
    expect(attentionAfter([setTo(looms, followed)], 'a move').completed.has('a move')).toBe(true);
    expect(attentionAfter([setTo(looms, followed)]).completed.size).toBe(0);
  });

  it.each([
    [followed, muted, true],
    [followed, unmuted, true],
    [unmuted, followed, false],
    [unmuted, none, true],
    [followed, followed, false],
  ] as const)('becomes %i from %i by itself: %s', (policy, present, changes) => {
    const attention = present === none ? noAttention : attentionAfter([setTo(looms, present)]).attention;
    const decided = decideAutomaticVisibility(attention, { ...looms, policy }, ada);
    expect(decided).toEqual(changes ? [setTo(looms, policy)] : []);
  });
});

const nobody: Mentions = { userIds: [], groups: [], channelWildcard: false, topicWildcard: false };

class Scene {
  readonly organization = new TestOrganization();
  readonly sender = this.organization.register();
  readonly other = this.organization.register();
  readonly outsider = this.organization.register();
  readonly bot = this.organization.register({ bot: { type: 1, ownerId: this.sender, isSystem: false } });
  readonly channelId = createChannel(this.organization, [this.sender, this.other, this.bot]);

  set<Name extends keyof UserSettings>(userId: number, setting: Name, value: UserSettings[Name]): this {
    const event: SettingEvent = { type: 'UserSettingChanged', data: { userId, setting, value } };
    this.organization.log.append(`user-${userId}`, [event]);
    return this;
  }

  mute(userId: number): this {
    const data = { channelId: this.channelId, userId, property: 'is_muted', value: true, continuation: [] };
    this.organization.log.append(`channel-${this.channelId}`, [
      { type: 'SubscriptionPropertyChanged', data },
    ]);
    return this;
  }

  bySending(isNewConversation: boolean, { from = this.sender, mentions = [] as number[] } = {}): unknown {
    return policiesBySending(
      {
        snapshot: this.organization.snapshot(),
        sender: this.organization.user(from),
        recipient: { type: 'channel', channelId: this.channelId, topic: 'looms' },
        isNewConversation,
        topicParticipantIds: [],
        uploads: noUploads,
      },
      { ...nobody, userIds: mentions },
    );
  }
}

describe('a message that becomes the first of a topic', () => {
  const becoming = (scene: Scene, userId = scene.sender): VisibilityPolicy | null =>
    policyByBecomingFirst({
      directory: scene.organization.snapshot().directory,
      user: scene.organization.user(userId),
      channelId: scene.channelId,
    });

  it.each([
    [1, null],
    [2, null],
    [3, followed],
    [4, null],
  ] as const)('makes its sender follow it only where their setting %i names that', (setting, policy) => {
    const scene = new Scene();
    scene.set(scene.sender, 'automatically_follow_topics_policy', setting);
    expect(becoming(scene)).toBe(policy);
    expect(becoming(scene, scene.bot)).toBeNull();
  });

  it('unmutes it in a muted channel', () => {
    const scene = new Scene();
    scene.set(scene.sender, 'automatically_follow_topics_policy', 4);
    scene.set(scene.sender, 'automatically_unmute_topics_in_muted_streams_policy', 3);
    expect(becoming(scene)).toBeNull();
    expect(becoming(scene.mute(scene.sender))).toBe(unmuted);
  });
});

describe('sending a message', () => {
  it('makes its sender follow a topic that it starts', () => {
    const scene = new Scene();
    expect(scene.bySending(true)).toEqual([{ userId: scene.sender, policy: followed }]);
    expect(scene.bySending(false)).toEqual([]);
  });

  it.each([
    [1, [followed, followed]],
    [2, [followed, followed]],
    [3, [followed, null]],
    [4, [null, null]],
  ])('follows the topic by the sender’s setting %i', (value, expected) => {
    const scene = new Scene();
    scene.set(scene.sender, 'automatically_follow_topics_policy', value as 1);
    const policy = (isNew: boolean): unknown =>
      (scene.bySending(isNew) as { policy: number }[])[0]?.policy ?? null;
    expect([policy(true), policy(false)]).toEqual(expected);
  });

  it('unmutes the topic where the sender muted the channel, unless they want it otherwise', () => {
    const scene = new Scene();
    expect(scene.mute(scene.sender).bySending(false)).toEqual([{ userId: scene.sender, policy: unmuted }]);
    scene.set(scene.sender, 'automatically_unmute_topics_in_muted_streams_policy', 3);
    expect(scene.bySending(false)).toEqual([]);
  });

  it('is nothing to bots', () => {
    const scene = new Scene();
    expect(scene.bySending(true, { from: scene.bot })).toEqual([]);
  });

  it('makes the subscribers follow whom it mentions, save for bots and those who want it otherwise', () => {
    const scene = new Scene();
    const mentions = [scene.other, scene.outsider, scene.bot];
    expect(scene.bySending(false, { mentions })).toEqual([{ userId: scene.other, policy: followed }]);
    scene.set(scene.other, 'automatically_follow_topics_where_mentioned', false);
    expect(scene.bySending(false, { mentions })).toEqual([]);
  });
});

describe('the notice of a resolved topic', () => {
  it('is unread as each person’s setting has it', () => {
    const scene = new Scene();
    scene.set(scene.sender, 'resolved_topic_notice_auto_read_policy', 'never');
    scene.set(scene.other, 'resolved_topic_notice_auto_read_policy', 'always');
    const place = { newChannelId: scene.channelId, userId: null };
    const policies = new Map([
      [scene.other, followed],
      [scene.bot, followed],
    ] as const);
    const { directory } = scene.organization.snapshot();
    expect(markReadOnArrival(place, directory, policies).except).toEqual([scene.sender, scene.bot]);
  });
});
