import { describe, expect, it } from '@jest/globals';
import { CUSTOM_EMOJI_STREAM } from '../../src/access/records/custom-emoji.js';
import { CustomEmojiAdded } from '../../src/events/custom-emoji.js';
import { ownSettingsFold, type OwnSettings } from '../../src/contexts/settings/settings.state.js';
import {
  decideChangeStatus,
  decideChangeStatusOf,
  type StatusRequest,
} from '../../src/contexts/statuses/statuses.decide.js';
import { statusObject } from '../../src/contexts/users/client-events/person-status.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const boat = { name: 'boat', code: '26f5', type: 'unicode_emoji' } as const;

const bot = { type: 1, ownerId: null, isSystem: false } as const;
const unchanged: StatusRequest = { text: null, emoji: {}, away: null };

/** An account that sets a status. */
class Speaker {
  readonly organization = new TestOrganization();
  readonly userId: number;

  constructor(registration: Parameters<TestOrganization['register']>[0] = {}) {
    this.userId = this.organization.register(registration);
  }

  decide(request: Partial<StatusRequest>): ReturnType<typeof decideChangeStatus> {
    const actor = this.organization.actor(this.userId);
    return decideChangeStatus(this.settingsOf(this.userId), { ...unchanged, ...request }, actor);
  }

  /** Sets the status of another account. */
  decideOf(userId: number, request: Partial<StatusRequest>): ReturnType<typeof decideChangeStatusOf> {
    const actor = this.organization.actor(this.userId);
    return decideChangeStatusOf(this.settingsOf(userId), { ...unchanged, ...request, userId }, actor);
  }

  private settingsOf(userId: number): OwnSettings {
    return this.organization.log.fold(ownSettingsFold, `user-${userId}`);
  }

  says(request: Partial<StatusRequest>): object {
    this.organization.log.append(`user-${this.userId}`, this.decide(request));
    return statusObject(this.organization.snapshot().directory, this.userId);
  }
}

describe('a status', () => {
  it('has a text and an emoji, each of which stays while the other changes', () => {
    const speaker = new Speaker();
    const emoji = { emoji_name: 'boat', emoji_code: '26f5', reaction_type: 'unicode_emoji' };
    expect(speaker.says({ text: ' at sea ' })).toEqual({ status_text: 'at sea' });
    expect(speaker.says({ emoji: { name: 'boat' } })).toEqual({ status_text: 'at sea', ...emoji });
    expect(speaker.says({ text: '' })).toEqual(emoji);
    expect(speaker.says({ emoji: { name: '' } })).toEqual({});
  });

  it('is changed by one event with the values that differ', () => {
    const speaker = new Speaker();
    const { userId } = speaker;
    expect(speaker.decide({ text: 'at sea', emoji: { name: 'boat' } })).toEqual([
      { type: 'UserStatusChanged', data: { userId, text: 'at sea', emoji: boat } },
    ]);
    speaker.says({ text: 'at sea', emoji: { name: 'boat' } });
    expect(speaker.decide({ text: 'at sea', emoji: { name: '' } })).toEqual([
      { type: 'UserStatusChanged', data: { userId, text: null, emoji: 'none' } },
    ]);
    expect(speaker.decide({ text: 'at sea', emoji: { name: 'boat' } })).toEqual([]);
    expect(new Speaker().decide({ text: '', emoji: { name: '' } })).toEqual([]);
  });

  it('includes by a setting that the person is away', () => {
    const speaker = new Speaker();
    const { userId } = speaker;
    expect(speaker.decide({ away: true })).toEqual([
      { type: 'UserSettingChanged', data: { userId, setting: 'presence_enabled', value: false } },
    ]);
    expect(speaker.decide({ away: false })).toEqual([]);
    expect(speaker.says({ away: true, text: 'asleep' })).toEqual({ away: true, status_text: 'asleep' });
    expect(speaker.says({ away: false })).toEqual({ status_text: 'asleep' });
  });

  it('may be an emoji of the organization’s own', () => {
    const speaker = new Speaker();
    const { name, ...file } = CustomEmojiAdded.example;
    speaker.organization.log.append(CUSTOM_EMOJI_STREAM, [
      { type: 'CustomEmojiAdded', data: { ...file, name, authorId: speaker.userId } },
    ]);
    expect(speaker.says({ emoji: { name } })).toEqual({
      emoji_name: name,
      emoji_code: String(file.emojiId),
      reaction_type: 'realm_emoji',
    });
  });

  it('may be 60 code points long', () => {
    const speaker = new Speaker();
    expect(refusal(() => speaker.decide({ text: '🐙'.repeat(61) }))).toBe('statusTooLong');
    expect(refusal(() => speaker.decide({ text: ` ${'🐙'.repeat(60)} ` }))).toBeNull();
  });

  it.each<[string, Partial<StatusRequest>]>([
    ['statusUnchanged', {}],
    ['statusUnchanged', { emoji: { code: '26f5' } }],
    ['emojiNameRequired', { text: 'x', emoji: { code: '26f5' } }],
    ['emojiNameRequired', { away: true, emoji: { type: 'unicode_emoji' } }],
    ['unknownEmoji', { emoji: { name: 'no_such_emoji' } }],
    ['invalidEmojiName', { emoji: { name: 'boat', code: '1f419', type: 'unicode_emoji' } }],
    ['invalidCustomEmoji', { emoji: { name: 'boat', code: '99', type: 'realm_emoji' } }],
  ])('is refused: %s for %j', (row, request) => {
    expect(refusal(() => new Speaker().decide(request))).toBe(row);
  });

  it('is no bot’s to set', () => {
    expect(refusal(() => new Speaker({ bot }).decide({ text: 'at sea' }))).toBe('botsNotAllowed');
    expect(refusal(() => new Speaker({ bot }).decide({}))).toBe('botsNotAllowed');
  });
});

describe('the status of somebody else', () => {
  it('may be set by an administrator, and only the parts of it that change are recorded', () => {
    const administrator = new Speaker({ role: 200 });
    const userId = administrator.organization.register();
    const events = administrator.decideOf(userId, { text: ' at sea ', emoji: { name: 'boat' }, away: true });
    expect(events).toEqual([
      { type: 'UserStatusChanged', data: { userId, text: 'at sea', emoji: boat } },
      { type: 'UserSettingChanged', data: { userId, setting: 'presence_enabled', value: false } },
    ]);
    administrator.organization.log.append(`user-${userId}`, events);
    expect(administrator.decideOf(userId, { text: 'at sea' })).toEqual([]);
    expect(refusal(() => administrator.decideOf(userId, {}))).toBe('statusUnchanged');
  });

  it.each([300, 400, 600] as const)('is not for people with role %i to set', (role) => {
    const speaker = new Speaker({ role });
    const other = speaker.organization.register();
    for (const userId of [other, speaker.userId, 99])
      expect(refusal(() => speaker.decideOf(userId, { text: 'at sea' }))).toBe('insufficientPermission');
  });

  it('is not set for bots, deactivated accounts, and accounts that do not exist', () => {
    const administrator = new Speaker({ role: 200 });
    const { organization } = administrator;
    const botId = organization.register({ bot });
    const deactivated = organization.register();
    organization.happened({ type: 'UserDeactivated', data: { userId: deactivated } });
    for (const userId of [botId, deactivated, 99])
      expect(refusal(() => administrator.decideOf(userId, {}))).toBe('noSuchUser');
  });
});
