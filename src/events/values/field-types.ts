import { z } from 'zod';

/** The types of custom profile fields, as clients get them. */
export const fieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

/** The ids of {@link fieldTypes}. */
export const fieldTypeSchema = z.union([
  z.literal(1),
  z.literal(2),
  z.literal(3),
  z.literal(4),
  z.literal(5),
  z.literal(6),
  z.literal(7),
  z.literal(8),
]);
type FieldType = z.infer<typeof fieldTypeSchema>;

/** Whether values of the type are Markdown. */
export function isMarkdownField(type: FieldType): boolean {
  return type === fieldTypes.SHORT_TEXT.id || type === fieldTypes.LONG_TEXT.id;
}

/** Whether accounts can be found by values of the type. */
export function canMatchUsers(type: FieldType): boolean {
  return type === fieldTypes.SHORT_TEXT.id || type === fieldTypes.EXTERNAL_ACCOUNT.id;
}

/** Whether fields of the type can be in the summary of a profile. */
export function canStandInSummary(type: FieldType): boolean {
  return type !== fieldTypes.USER.id;
}
