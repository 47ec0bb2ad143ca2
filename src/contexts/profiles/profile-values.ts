import type { Snapshot } from '../../access/snapshot.js';
import { budgets } from '../../kernel/budgets.js';
import { isLongerThan } from '../../kernel/text.js';
import { failure, type ApplicationError } from '../../kernel/errors.js';
import { refuseUnrenderable } from '../../markdown/render.js';
import { offersChoice } from '../../access/records/field-data.js';
import { fieldTypes } from '../../events/values/field-types.js';
import type { ProfileField } from '../../access/records/profile-fields.js';

/** The new value of a profile field: ids of people in a field of users. Null or empty clears it. */
export type ProfileValueInput = string | readonly number[] | null;

/** Maximum lengths of values, in code points. */
const maxLengths = { short: 50, long: 500, address: 2048 } as const;

/** Maximum number of people in a field of users. */
const MAX_PEOPLE = 100;

/**
 * The stored form of a value; null for a field that is cleared. Texts are not trimmed.
 *
 * @throws ApplicationError when it is not a value of the field's type
 */
export function keptValue(snapshot: Snapshot, field: ProfileField, sent: ProfileValueInput): string | null {
  if (sent === null || sent.length === 0) return null;
  if (field.fieldType === fieldTypes.USER.id) return peopleValue(snapshot, field, sent);
  if (typeof sent !== 'string') throw invalid(field, 'is not a string');
  assertValue(field, sent);
  return sent;
}

function assertValue(field: ProfileField, value: string): void {
  switch (field.fieldType) {
    case fieldTypes.SHORT_TEXT.id:
    case fieldTypes.PRONOUNS.id:
    case fieldTypes.EXTERNAL_ACCOUNT.id:
      return assertLength(field, value, maxLengths.short);
    case fieldTypes.LONG_TEXT.id:
      assertLength(field, value, maxLengths.long);
      return refuseUnrenderable(value, {});
    case fieldTypes.SELECT.id:
      return assertOffered(field, value);
    case fieldTypes.DATE.id:
      if (!isDate(value)) throw invalid(field, 'is not a date');
      return;
    case fieldTypes.URL.id:
      assertLength(field, value, maxLengths.address);
      if (!isWebAddress(value)) throw invalid(field, 'is not a URL');
      return;
    case fieldTypes.USER.id:
      throw new Error('Fields of users hold no texts');
  }
}

/** A field from before keys had a maximum length may offer a longer one. */
function assertOffered(field: ProfileField, value: string): void {
  if (offersChoice(field, value)) return;
  assertLength(field, value, budgets.profileFieldChoiceText.max);
  throw invalid(field, `has no choice '${value}'`);
}

function assertLength(field: ProfileField, value: string, max: number): void {
  if (isLongerThan(value, max)) throw invalid(field, `is too long (limit: ${max} characters)`);
}

/** `YYYY-MM-DD`, with zeros, of a day in the calendar. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const day = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

function isWebAddress(value: string): boolean {
  if (/\s/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return (protocol === 'https:' || protocol === 'http:') && hostname !== '';
}

function peopleValue(
  { directory }: Snapshot,
  field: ProfileField,
  sent: NonNullable<ProfileValueInput>,
): string {
  if (typeof sent === 'string') throw invalid(field, 'is not a list');
  const userIds = [...new Set(sent)];
  if (userIds.length > MAX_PEOPLE) throw invalid(field, `names more than ${MAX_PEOPLE} people`);
  for (const userId of userIds) {
    const user = directory.user(userId);
    if (user === null) throw failure('invalidUserInField', { reason: userId });
    if (!user.isActive) throw failure('deactivatedUserInField', { reason: userId });
    if (user.bot !== null) throw failure('botInField', { reason: userId });
  }
  return JSON.stringify(userIds);
}

function invalid({ name }: ProfileField, fault: string): ApplicationError {
  return failure('invalidFieldValue', { reason: { name, fault } });
}
