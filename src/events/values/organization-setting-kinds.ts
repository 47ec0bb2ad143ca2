import { z } from 'zod';
import { isLongerThan } from '../../kernel/text.js';

/** Who may change a setting of the organization. */
export type SettingChanger = 'administrators' | 'owners';

/** How a setting is sent, shown and validated. */
export type SettingKind =
  'flag' | 'text' | 'address' | 'number' | 'choice' | 'limit' | 'retention' | 'channel';

/** One setting of the organization. */
export interface OrganizationSetting<Value> {
  readonly kind: SettingKind;
  /** Validates the stored value. */
  readonly schema: z.ZodType<Value>;
  /** Maximum length of a text, in code points; absent: the value is no text. */
  readonly maxLength?: number;
  readonly initial: Value;
  readonly changedBy: SettingChanger;
  /** One sentence, for the documentation of the API. */
  readonly meaning: string;
}

/** A setting that administrators may change. */
export function setting<Value>(
  type: Pick<OrganizationSetting<Value>, 'kind' | 'schema' | 'maxLength'>,
  initial: NoInfer<Value>,
  meaning: string,
): OrganizationSetting<Value> {
  return { ...type, initial, meaning, changedBy: 'administrators' };
}

/** The same setting, which only owners may change. */
export function ownersOnly<Value>(row: OrganizationSetting<Value>): OrganizationSetting<Value> {
  return { ...row, changedBy: 'owners' };
}

export const flag = { kind: 'flag', schema: z.boolean() } as const;

/** Seconds since the message was sent; null: no limit. */
export const limit = { kind: 'limit', schema: z.int().positive().nullable() } as const;

/** The value of a channel setting without a channel. */
export const NO_CHANNEL = -1;

/** A channel's id, or none. */
export const channel = {
  kind: 'channel',
  schema: z.union([z.int().positive(), z.literal(NO_CHANNEL)]),
} as const;

/** @param maxLength in code points */
export function text(maxLength: number): { kind: 'text'; schema: z.ZodString; maxLength: number } {
  const schema = z.string().refine((value) => !isLongerThan(value, maxLength), {
    message: `too long (limit: ${maxLength} characters)`,
  });
  return { kind: 'text', schema, maxLength };
}

const MAX_ADDRESS = 200;

/** The http or https URL of another server; null: the default. */
export const address = {
  kind: 'address',
  maxLength: MAX_ADDRESS,
  schema: text(MAX_ADDRESS).schema.refine(isWebAddress, { message: 'not an http or https URL' }).nullable(),
} as const;

function isWebAddress(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** An integer, both bounds included. */
export function number(min: number, max: number): { kind: 'number'; schema: z.ZodInt } {
  return { kind: 'number', schema: z.int().min(min).max(max) };
}

export function choice<const Value extends string>(
  ...values: readonly Value[]
): { kind: 'choice'; schema: z.ZodType<Value> } {
  return { kind: 'choice', schema: z.enum(values) };
}
