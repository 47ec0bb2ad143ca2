import { budgets } from '../../src/kernel/budgets.js';
import { describe, expect, it } from '@jest/globals';
import {
  decideChangeProfileField,
  type FieldChange,
  decideCreateProfileField,
  type NewField,
  decideDeleteProfileField,
  decideReorderProfileFields,
} from '../../src/contexts/profiles/profile-fields.decide.js';
import type { ProfileFieldEvent } from '../../src/events/profile-fields.js';
import {
  profileFieldsFold,
  PROFILE_FIELDS_STREAM,
  type ProfileFields,
} from '../../src/access/records/profile-fields.js';
import { refusal } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const shortText: NewField = {
  fieldType: 1,
  name: ' Nickname ',
  hint: '',
  fieldData: {},
  displayInSummary: false,
  required: false,
  editableByUser: true,
  useForMatching: false,
};

/** An organization with these profile fields, which its administrator created. */
class World extends TestOrganization {
  readonly administrator = this.register({ role: 200 });
  readonly member = this.register();

  constructor(...fields: readonly Partial<NewField>[]) {
    super();
    for (const field of fields)
      this.decided(this.create({ name: `Field ${this.fields.created + 1}`, ...field }));
  }

  get fields(): ProfileFields {
    return this.log.fold<ProfileFields, ProfileFieldEvent>(profileFieldsFold, PROFILE_FIELDS_STREAM);
  }

  decided(events: readonly ProfileFieldEvent[]): this {
    this.log.append(PROFILE_FIELDS_STREAM, events);
    return this;
  }

  by(userId = this.administrator) {
    return { user: this.user(userId), snapshot: this.snapshot() };
  }

  create(field: Partial<NewField>, userId?: number): readonly ProfileFieldEvent[] {
    return decideCreateProfileField(this.fields, { ...shortText, ...field }, this.by(userId));
  }

  change(fieldId: number, change: Partial<FieldChange>, userId?: number): readonly ProfileFieldEvent[] {
    return decideChangeProfileField(this.fields, { fieldId, change: change as FieldChange }, this.by(userId));
  }
}

const choices = { a: { text: 'Soup', order: '1' }, b: { text: 'Salad', order: '2' } };

describe('a new profile field', () => {
  it('is appended last, its name trimmed', () => {
    const world = new World({ name: 'First' });
    expect(world.create({})).toEqual([
      { type: 'ProfileFieldCreated', data: { ...shortText, fieldId: 2, name: 'Nickname', fieldData: '' } },
    ]);
  });

  it('is for administrators to make', () => {
    const world = new World();
    expect(refusal(() => world.create({}, world.member))).toBe('administratorRequired');
  });

  it.each<readonly [string, Partial<NewField>, string]>([
    ['without a name', { name: ' ' }, 'textBlank'],
    ['with a name of 41 code points', { name: 'a'.repeat(41) }, 'textTooLong'],
    ['with a hint of 81 code points', { hint: 'a'.repeat(81) }, 'textTooLong'],
    ['of an unknown type', { fieldType: 9 }, 'invalidFieldType'],
    ['of people in the summary', { fieldType: 6, displayInSummary: true }, 'summaryUnsupported'],
    ['to match users by a date', { fieldType: 4, useForMatching: true }, 'matchingUnsupported'],
    ['with the name of another', { name: 'Field 1' }, 'profileFieldNameTaken'],
    ['that offers no choice', { fieldType: 3, fieldData: {} }, 'invalidFieldData'],
    [
      'that offers a text twice',
      { fieldType: 3, fieldData: { a: choices.a, b: choices.a } },
      'invalidFieldData',
    ],
    [
      'whose choice has a number for its order',
      { fieldType: 3, fieldData: { a: { text: 'Soup', order: 1 } } },
      'invalidFieldData',
    ],
    [
      'whose choice says nothing',
      { fieldType: 3, fieldData: { a: { text: ' ', order: '1' } } },
      'invalidFieldData',
    ],
    ['for accounts nowhere', { fieldType: 7, fieldData: {} }, 'invalidFieldData'],
    [
      'for accounts at an unknown site',
      { fieldType: 7, fieldData: { subtype: 'myspace' } },
      'invalidFieldData',
    ],
    [
      'for accounts without a place for the name',
      { fieldType: 7, fieldData: { subtype: 'custom', url_pattern: 'https://example.com/' } },
      'invalidFieldData',
    ],
    [
      'for accounts behind a script',
      { fieldType: 7, fieldData: { subtype: 'custom', url_pattern: 'javascript:alert("%(username)s")' } },
      'invalidFieldData',
    ],
  ])('is refused %s', (_what, field, expected) => {
    expect(refusal(() => new World({}).create(field))).toBe(expected);
  });

  it('may be a paragraph in the summary, or match users by text or account', () => {
    const world = new World();
    expect(world.create({ fieldType: 2, displayInSummary: true })).toHaveLength(1);
    expect(world.create({ useForMatching: true })).toHaveLength(1);
    const github = { fieldType: 7, fieldData: { subtype: 'github' }, useForMatching: true };
    expect(world.create(github)).toHaveLength(1);
  });

  it('is one of two at most in the summary, which is looked at first', () => {
    const world = new World({ displayInSummary: true }, { displayInSummary: true });
    expect(refusal(() => world.create({ displayInSummary: true, fieldType: 3, name: '' }))).toBe(
      'summaryFull',
    );
    expect(refusal(() => world.create({ fieldType: 3, name: '' }))).toBe('invalidFieldData');
    expect(refusal(() => world.create({ fieldType: 9, name: '' }))).toBe('textBlank');
  });

  it('keeps its choices in the order given', () => {
    const reversed = { b: choices.b, a: choices.a };
    expect(new World().create({ fieldType: 3, fieldData: reversed })).toMatchObject([
      { data: { fieldData: JSON.stringify(reversed) } },
    ]);
  });

  it('for accounts at a known site is called as that site is', () => {
    const github = { fieldType: 7, fieldData: { subtype: 'github' }, name: 'Mine', hint: 'x' };
    expect(new World().create(github)).toMatchObject([
      { data: { name: 'GitHub username', hint: '', fieldData: '{"subtype":"github"}' } },
    ]);
    const own = { subtype: 'custom', url_pattern: 'https://example.com/~%(username)s' };
    expect(new World().create({ ...github, fieldData: own })).toMatchObject([
      { data: { name: 'Mine', hint: 'x', fieldData: JSON.stringify(own) } },
    ]);
  });

  it('is one of a number that profiles may have', () => {
    const world = new World(...Array.from({ length: budgets.profileFields.max }, () => ({})));
    expect(refusal(() => world.create({}))).toBe('tooManyProfileFields');
  });
});

describe('a profile field', () => {
  it('changes only in given values that differ', () => {
    const world = new World({ name: 'Nick' });
    expect(world.change(1, { name: 'Nick', required: false })).toEqual([]);
    expect(world.change(1, { hint: ' short ', required: true })).toMatchObject([
      { type: 'ProfileFieldChanged', data: { fieldId: 1, name: 'Nick', hint: 'short', required: true } },
    ]);
  });

  it('is refused what a new one is', () => {
    const world = new World(
      { displayInSummary: true },
      { displayInSummary: true },
      { fieldType: 4 },
      { fieldType: 6 },
    );
    expect(refusal(() => world.change(1, { name: '' }))).toBe('textBlank');
    expect(refusal(() => world.change(1, { name: 'Field 2' }))).toBe('profileFieldNameTaken');
    expect(refusal(() => world.change(3, { displayInSummary: true }))).toBe('summaryFull');
    expect(refusal(() => world.change(1, { displayInSummary: true }))).toBeNull();
    expect(refusal(() => world.change(3, { useForMatching: true }))).toBe('matchingUnsupported');
    expect(refusal(() => world.change(9, { name: 'x' }))).toBe('noSuchProfileField');
    expect(refusal(() => world.change(1, { name: 'x' }, world.member))).toBe('administratorRequired');
  });

  it('for accounts at a known site changes in nothing that clients know by themselves', () => {
    const world = new World({ fieldType: 7, fieldData: { subtype: 'twitter' } });
    for (const change of [{ name: 'x' }, { hint: 'x' }, { fieldData: { subtype: 'github' } }]) {
      expect(refusal(() => world.change(1, change))).toBe('knownAccountFixed');
    }
    expect(world.change(1, { displayInSummary: true, fieldData: { subtype: 'twitter' } })).toHaveLength(1);
  });

  it('cannot be deleted twice, and its id is not used again', () => {
    const world = new World({}, {});
    world.decided(decideDeleteProfileField(world.fields, 2, world.by()));
    expect(refusal(() => decideDeleteProfileField(world.fields, 2, world.by()))).toBe('noSuchProfileField');
    expect(world.create({})).toMatchObject([{ data: { fieldId: 3 } }]);
    const byMember = world.by(world.member);
    expect(refusal(() => decideDeleteProfileField(world.fields, 1, byMember))).toBe('administratorRequired');
  });
});

describe('the order of profile fields', () => {
  it('names every field once', () => {
    const world = new World({}, {}, {});
    const order = (fieldIds: readonly number[], userId?: number): readonly ProfileFieldEvent[] =>
      decideReorderProfileFields(world.fields, fieldIds, world.by(userId));
    for (const bad of [[1, 2], [1, 2, 2], [1, 2, 4], [1, 2, 3, 3], []]) {
      expect(refusal(() => order(bad))).toBe('invalidFieldOrder');
    }
    expect(refusal(() => order([3, 2, 1], world.member))).toBe('administratorRequired');
    expect(order([1, 2, 3])).toEqual([]);
    world.decided(order([3, 1, 2]));
    expect(world.fields.fields.map(({ fieldId }) => fieldId)).toEqual([3, 1, 2]);
  });
});
