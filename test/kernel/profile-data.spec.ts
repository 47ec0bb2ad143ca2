import { describe, expect, it } from '@jest/globals';
import { decideProfileData } from '../../src/contexts/profiles/profile-data.decide.js';
import { decideChangeOwnProfile } from '../../src/contexts/users/users.decide.js';
import { budgets } from '../../src/kernel/budgets.js';
import { fieldDataOf } from '../../src/access/records/field-data.js';
import type { ProfileFieldEvent } from '../../src/events/profile-fields.js';
import { PROFILE_FIELDS_STREAM } from '../../src/access/records/profile-fields.js';
import type { ProfileValueInput } from '../../src/contexts/profiles/profile-values.js';
import type { UserEvent } from '../../src/events/users.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const choices = { a: { text: 'Soup', order: '1' }, b: { text: 'Salad', order: '2' } };

type FieldType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/**
 * An organization with a profile field of every type, whose id is the type's number, and a ninth field that users
 * cannot edit.
 */
class World extends TestOrganization {
  readonly administrator = this.register({ role: 200 });
  readonly member = this.register();
  readonly bot = this.register({ bot: { type: 1, ownerId: this.member, isSystem: false } });
  readonly gone = this.register();

  constructor() {
    super();
    this.happened({ type: 'UserDeactivated', data: { userId: this.gone } });
    const data: Record<number, unknown> = { 3: choices, 7: { subtype: 'github' } };
    for (const type of [1, 2, 3, 4, 5, 6, 7, 8, 1] as const) this.field(type, data[type]);
  }

  field(fieldType: FieldType, data: unknown): void {
    this.store(fieldType, fieldDataOf(fieldType, data));
  }

  store(fieldType: FieldType, fieldData: string): void {
    const fieldId = this.snapshot().directory.profiles.fields.created + 1;
    const field = {
      fieldId,
      name: `Field ${fieldId}`,
      hint: '',
      fieldType,
      fieldData,
      displayInSummary: false,
      required: false,
      editableByUser: fieldId !== 9,
      useForMatching: false,
    };
    this.log.append<ProfileFieldEvent>(PROFILE_FIELDS_STREAM, [{ type: 'ProfileFieldCreated', data: field }]);
  }

  fill(fieldId: number, value: ProfileValueInput, actorId = this.member): readonly UserEvent[] {
    const change = { userId: this.member, actor: this.user(actorId), entries: [{ fieldId, value }] };
    return decideProfileData(this.snapshot(), change);
  }

  says(): unknown {
    return this.snapshot().directory.profiles.objectOf({ id: this.member });
  }
}

describe('what a profile says', () => {
  const world = new World();

  it.each<readonly [number, ProfileValueInput, string]>([
    [1, ' Ada ', ' Ada '],
    [1, '𝄞'.repeat(50), '𝄞'.repeat(50)],
    [2, 'a'.repeat(500), 'a'.repeat(500)],
    [3, 'b', 'b'],
    [4, '1815-12-10', '1815-12-10'],
    [5, 'https://example.com/ada?x=1', 'https://example.com/ada?x=1'],
    [6, [1, 2, 1], '[1,2]'],
    [7, 'ada', 'ada'],
    [8, 'she/her', 'she/her'],
  ])('in field %i may be %j', (fieldType, value, kept) => {
    expect(world.fill(fieldType, value)).toEqual([
      {
        type: 'ProfileDataChanged',
        data: { userId: world.member, values: [{ fieldId: fieldType, fieldType, value: kept }] },
      },
    ]);
  });

  it.each<readonly [number, ProfileValueInput, string?]>([
    [1, 'a'.repeat(51)],
    [1, [1]],
    [2, 'a'.repeat(501)],
    [3, 'c'],
    [3, 'toString'],
    [4, '1815-12-1'],
    [4, '1815-13-10'],
    [4, '1815-02-30'],
    [4, 'tomorrow'],
    [5, 'example.com'],
    [5, 'javascript:alert(1)'],
    [5, 'https://exa mple.com'],
    [6, '[1]'],
    [6, [99], 'invalidUserInField'],
    [6, [world.bot], 'botInField'],
    [6, [world.gone], 'deactivatedUserInField'],
    [7, 'a'.repeat(51)],
    [8, 'a'.repeat(51)],
  ])('in field %i may not be %j', (fieldId, value, error = 'invalidFieldValue') => {
    expect(refusal(() => world.fill(fieldId, value))).toBe(error);
  });

  it('may be a choice whose key was stored before keys had a maximum length', () => {
    const older = new World();
    const key = 'k'.repeat(budgets.profileFieldChoiceText.max + 1);
    older.store(3, JSON.stringify({ [key]: { text: 'Soup', order: '1' } }));
    const fieldId = older.snapshot().directory.profiles.fields.created;
    older.happened(...older.fill(fieldId, key));
    expect(older.says()).toEqual({ [fieldId]: { value: key } });
    expect(() => older.fill(fieldId, key.toUpperCase())).toThrow('is too long (limit: 100 characters)');
  });

  it('is nothing new where it says it already', () => {
    const filled = new World();
    filled.happened(...filled.fill(1, 'Ada'));
    expect(filled.fill(1, 'Ada')).toEqual([]);
    expect(filled.fill(2, null)).toEqual([]);
    expect(filled.fill(1, 'Countess')).toHaveLength(1);
  });

  it.each<ProfileValueInput>([null, '', []])('is cleared by %j', (nothing) => {
    const filled = new World();
    filled.happened(...filled.fill(6, [1]), ...filled.fill(1, '**Ada**'));
    expect(filled.says()).toEqual({
      1: { value: '**Ada**', rendered_value: '<p><strong>Ada</strong></p>' },
      6: { value: '[1]' },
    });
    filled.happened(...filled.fill(6, nothing));
    expect(filled.says()).toEqual({ 1: expect.anything() });
  });

  it('is decided by the last of several entries for a field', () => {
    const { member } = world;
    const entries = [
      { fieldId: 1, value: 'One' },
      { fieldId: 8, value: 'they' },
      { fieldId: 1, value: null },
    ];
    const change = { userId: member, actor: world.user(member), entries };
    expect(decideProfileData(world.snapshot(), change)).toMatchObject([
      { data: { values: [{ fieldId: 8, value: 'they' }] } },
    ]);
  });

  it('is for administrators alone where people may not edit it', () => {
    expect(refusal(() => world.fill(9, 'x'))).toBe('profileFieldNotEditable');
    expect(world.fill(9, 'x', world.administrator)).toHaveLength(1);
  });

  it('is known only in fields that there are', () => {
    expect(refusal(() => world.fill(10, 'x'))).toBe('noSuchProfileField');
    const filled = new World();
    filled.happened(...filled.fill(1, 'Ada'), ...filled.fill(3, 'a'));
    filled.log.append<ProfileFieldEvent>(PROFILE_FIELDS_STREAM, [
      { type: 'ProfileFieldDeleted', data: { fieldId: 1 } },
    ]);
    expect(filled.says()).toEqual({ 3: { value: 'a' } });
  });

  it('does not count where its choice is not offered any more', () => {
    const filled = new World();
    filled.happened(...filled.fill(3, 'a'));
    const field = filled.snapshot().directory.profiles.fields.fields[2]!;
    const fieldData = JSON.stringify({ b: choices.b });
    filled.log.append<ProfileFieldEvent>(PROFILE_FIELDS_STREAM, [
      { type: 'ProfileFieldChanged', data: { ...field, fieldData } },
    ]);
    expect(filled.says()).toEqual({});
  });

  it('is said by people, not by bots', () => {
    const by = { user: world.user(world.bot), snapshot: world.snapshot() };
    const entries = [{ fieldId: 1, value: 'x' }];
    expect(refusal(() => decideChangeOwnProfile(world.users, entries, by))).toBe('botsNotAllowed');
  });
});
