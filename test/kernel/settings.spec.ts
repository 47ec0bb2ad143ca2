import { describe, expect, it, jest } from '@jest/globals';
import {
  decideAssignSettings,
  type Assignment,
  decideChangeSettingDefaults,
  decideChangeSettings,
} from '../../src/contexts/settings/settings.decide.js';
import type { SettingEvent } from '../../src/events/settings.js';
import { ownSettingsFold } from '../../src/contexts/settings/settings.state.js';
import type { ChosenSettings } from '../../src/access/records/personal-settings.js';
import { initialSettings, settingNames, settingTable } from '../../src/events/values/setting-table.js';
import { ChangeSettingsParameters, isTimeZone } from '../../src/contexts/settings/settings.parameters.js';
import { planOf } from '../../src/http/parameters/parameter-plan.js';
import { readParameters } from '../../src/http/parameters/read-parameters.js';
import { budgets } from '../../src/kernel/budgets.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const org = (): TestOrganization => new TestOrganization();

function happened(organization: TestOrganization, ...events: readonly SettingEvent[]): void {
  for (const event of events) {
    const stream = event.type === 'UserSettingChanged' ? `user-${event.data.userId}` : 'user-settings';
    organization.log.append(stream, [event]);
  }
}

describe('the table of settings', () => {
  it('starts each setting with a value that it allows', () => {
    for (const name of settingNames) {
      const setting = settingTable[name];
      if (setting.kind === 'choice') expect(setting.values).toContain(setting.default);
    }
  });

  it('knows which settings nobody changes for others', () => {
    expect(settingNames.filter((name) => settingTable[name].isSensitive).sort()).toEqual([
      'allow_private_data_export',
      'email_address_visibility',
      'enable_digest_emails',
      'enable_login_emails',
      'enable_marketing_emails',
      'presence_enabled',
      'send_private_typing_notifications',
      'send_read_receipts',
      'send_stream_typing_notifications',
      'timezone',
    ]);
  });
});

describe('changing one’s own settings', () => {
  function decide(organization: TestOrganization, userId: number, requested: ChosenSettings): unknown[] {
    const { directory } = organization.snapshot();
    const own = organization.log.fold(ownSettingsFold, `user-${userId}`);
    return decideChangeSettings(own, requested, { userId, directory }).map(({ data }) => data);
  }

  it('makes an event of each setting that becomes another', () => {
    const organization = org();
    const userId = organization.register();
    const requested = { color_scheme: 2, enter_sends: true, twenty_four_hour_time: false } as const;
    expect(decide(organization, userId, requested)).toEqual([
      { userId, setting: 'color_scheme', value: 2 },
      { userId, setting: 'enter_sends', value: true },
    ]);
  });

  it('appends no event for a value that is already set', () => {
    const organization = org();
    const userId = organization.register();
    happened(
      organization,
      { type: 'UserSettingChanged', data: { userId, setting: 'color_scheme', value: 2 } },
      { type: 'UserSettingAssigned', data: { setting: 'enter_sends', value: true, userIds: [userId] } },
    );
    expect(decide(organization, userId, { color_scheme: 2, enter_sends: true })).toEqual([]);
    expect(decide(organization, userId, { color_scheme: 1, enter_sends: false })).toHaveLength(2);
  });

  it('goes by the stream where the directory is behind it, and by the directory where it is not', () => {
    const organization = org();
    const userId = organization.register();
    const { directory } = organization.snapshot();
    happened(organization, {
      type: 'UserSettingChanged',
      data: { userId, setting: 'color_scheme', value: 2 },
    });
    const own = organization.log.fold(ownSettingsFold, `user-${userId}`);
    expect(decideChangeSettings(own, { color_scheme: 2 }, { userId, directory })).toEqual([]);
    happened(organization, {
      type: 'UserSettingAssigned',
      data: { setting: 'color_scheme', value: 3, userIds: [userId] },
    });
    expect(decide(organization, userId, { color_scheme: 2 })).toHaveLength(1);
  });
});

describe('changing the settings of others', () => {
  interface Cast {
    readonly organization: TestOrganization;
    readonly admin: number;
    readonly ada: number;
    readonly bo: number;
  }

  function cast(): Cast {
    const organization = org();
    const admin = organization.register({ role: 200 });
    const [ada, bo] = [organization.register(), organization.register()];
    return { organization, admin, ada, bo };
  }

  function decide(
    { organization, admin }: Cast,
    assignment: Partial<Assignment>,
    actor = admin,
  ): readonly SettingEvent[] {
    const whole = { settings: {}, userIds: [], groupIds: [], skipIfAlreadyEdited: false, ...assignment };
    return decideAssignSettings(whole, { user: organization.user(actor), snapshot: organization.snapshot() });
  }

  it('names those for whom it was something else', () => {
    const given = cast();
    const { organization, ada, bo } = given;
    happened(organization, {
      type: 'UserSettingChanged',
      data: { userId: bo, setting: 'enter_sends', value: true },
    });
    expect(decide(given, { settings: { enter_sends: true }, userIds: [bo, ada] })).toEqual([
      { type: 'UserSettingAssigned', data: { setting: 'enter_sends', value: true, userIds: [ada] } },
    ]);
    expect(decide(given, { settings: { enter_sends: true }, userIds: [bo] })).toEqual([]);
  });

  it('means the active people of a group', () => {
    const given = cast();
    const { organization, ada, bo } = given;
    const bot = organization.register({ bot: { type: 1, ownerId: ada, isSystem: false } });
    const groupId = organization.group([ada, bo, bot]);
    organization.happened({ type: 'UserDeactivated', data: { userId: bo } });
    const [event] = decide(given, { settings: { enter_sends: true }, groupIds: [groupId] });
    expect(event?.data).toMatchObject({ userIds: [ada] });
  });

  it('reads a group once, however often the request names it', () => {
    const { organization, admin, ada, bo } = cast();
    const inner = organization.group([ada, bo]);
    const outer = organization.group([ada], [inner]);
    const snapshot = organization.snapshot();
    const reads = jest.spyOn(snapshot.directory, 'user');
    const countReads = (groupIds: readonly number[]): number => {
      reads.mockClear();
      const assignment = { settings: {}, userIds: [], groupIds, skipIfAlreadyEdited: false };
      decideAssignSettings(assignment, { user: organization.user(admin), snapshot });
      return reads.mock.calls.length;
    };
    const once = countReads([inner, outer]);
    expect(countReads(Array.from({ length: 1_000 }, (_, index) => [inner, outer][index % 2]!))).toBe(once);
  });

  it('names at most a maximum number of people and of groups', () => {
    const refused = (name: string, count: number): string | null => {
      const targets = { [name]: Array.from({ length: count }, (_, index) => index + 1) };
      const sent: Record<string, string> = { target_users: JSON.stringify(targets) };
      return refusal(() => readParameters(planOf(ChangeSettingsParameters), (parameter) => sent[parameter]));
    };
    const { max } = budgets.listOfRequest;
    for (const name of ['user_ids', 'group_ids']) {
      expect([refused(name, max), refused(name, max + 1)]).toEqual([null, 'invalidParameter']);
    }
  });

  it('can leave alone whoever has ever set it themselves', () => {
    const given = cast();
    const { organization, ada, bo } = given;
    happened(
      organization,
      { type: 'UserSettingChanged', data: { userId: ada, setting: 'enter_sends', value: true } },
      { type: 'UserSettingChanged', data: { userId: ada, setting: 'enter_sends', value: false } },
      { type: 'UserSettingAssigned', data: { setting: 'color_scheme', value: 3, userIds: [ada] } },
    );
    const skipping = { userIds: [ada, bo], skipIfAlreadyEdited: true };
    expect(decide(given, { ...skipping, settings: { enter_sends: true, color_scheme: 2 } })).toEqual([
      { type: 'UserSettingAssigned', data: { setting: 'color_scheme', value: 2, userIds: [ada, bo] } },
      { type: 'UserSettingAssigned', data: { setting: 'enter_sends', value: true, userIds: [bo] } },
    ]);
  });

  it.each<[string, Partial<Assignment>]>([
    ['targetUsersRequired', {}],
    ['noSuchUser', { userIds: [99] }],
    ['invalidUserGroup', { groupIds: [99] }],
    ['settingIsPersonal', { settings: { send_read_receipts: false }, userIds: [2] }],
    ['settingIsPersonal', { settings: { timezone: 'Europe/Rome' }, userIds: [2] }],
  ])('is refused: %s', (row, assignment) => {
    expect(refusal(() => decide(cast(), assignment))).toBe(row);
  });

  it('leaves out bots, which have no settings', () => {
    const given = cast();
    const bot = given.organization.register({ bot: { type: 1, ownerId: given.ada, isSystem: false } });
    const settings = { enter_sends: true };
    expect(decide(given, { settings, userIds: [bot] })).toEqual([]);
    const [event] = decide(given, { settings, userIds: [bot, given.bo] });
    expect(event?.data).toMatchObject({ userIds: [given.bo] });
  });

  it('is for administrators', () => {
    const given = cast();
    expect(refusal(() => decide(given, { userIds: [given.bo] }, given.ada))).toBe('administratorRequired');
  });
});

describe('what new accounts begin with', () => {
  it('is what the organization chose by the time they are made', () => {
    const organization = org();
    const admin = organization.register({ role: 200 });
    const early = organization.register();
    happened(organization, {
      type: 'UserSettingDefaultChanged',
      data: { setting: 'emojiset', value: 'text' },
    });
    const late = organization.register();
    happened(organization, {
      type: 'UserSettingDefaultChanged',
      data: { setting: 'emojiset', value: 'google' },
    });
    const { settings } = organization.snapshot().directory;
    expect([admin, early, late].map((id) => settings.value(id, 'emojiset'))).toEqual([
      'google',
      'google',
      'text',
    ]);
    expect(settings.of(late)).toEqual({ ...initialSettings, emojiset: 'text' });
  });

  it('is for administrators to choose, and only what changes becomes an event', () => {
    const organization = org();
    const [admin, member] = [organization.register({ role: 200 }), organization.register()];
    const snapshot = organization.snapshot();
    const requested = { emojiset: 'text', enter_sends: false } as const;
    const decide = (id: number): unknown =>
      decideChangeSettingDefaults(requested, { user: organization.user(id), snapshot });
    expect(decide(admin)).toEqual([
      { type: 'UserSettingDefaultChanged', data: { setting: 'emojiset', value: 'text' } },
    ]);
    expect(refusal(() => decide(member))).toBe('administratorRequired');
  });
});

describe('a time zone', () => {
  it.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC', 'Etc/GMT+5', 'Asia/Calcutta', ''])(
    'is known: %j',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each(['Mars/Olympus', 'europe/berlin', '+01:00', 'Europe/Berlin ', 7])('is none: %j', (name) =>
    expect(isTimeZone(name)).toBe(false),
  );
});
