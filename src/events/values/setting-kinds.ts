import { z } from 'zod';

/** Properties of every kind of setting. */
interface SettingFacts<Value> {
  readonly default: Value;
  /** One sentence for the documentation page. */
  readonly description: string;
  /** Is about the person’s own privacy, account or profile: nobody else may change it. */
  readonly isSensitive: boolean;
}

/** True or false. */
interface Flag extends SettingFacts<boolean> {
  readonly kind: 'flag';
}

/** One of a few values. */
interface Choice<Value extends number | string> extends SettingFacts<Value> {
  readonly kind: 'choice';
  readonly values: readonly Value[];
}

/** A whole number between two bounds, both included. */
interface Quantity extends SettingFacts<number> {
  readonly kind: 'quantity';
  readonly from: number;
  readonly to: number;
}

/** The identifier of a time zone; empty: unknown. It is personal: an organization has no default for it. */
interface TimeZone extends SettingFacts<string> {
  readonly kind: 'time-zone';
}

export type Setting = Flag | Choice<number> | Choice<string> | Quantity | TimeZone;

/** The values of a setting. */
export type ValueOf<Kind extends Setting> =
  Kind extends Choice<infer Value> ? Value : Kind extends { readonly default: infer Value } ? Value : never;

/** A setting that is true or false. */
export function flag(initially: boolean, description: string): Flag {
  return { kind: 'flag', default: initially, description, isSensitive: false };
}

/** The first value is the default, unless `initially` names another. */
export function choice<const Value extends number | string>(
  values: readonly [Value, ...Value[]],
  description: string,
  initially: NoInfer<Value> = values[0],
): Choice<Value> {
  return { kind: 'choice', values, default: initially, description, isSensitive: false };
}

/** A setting that is a whole number between two bounds. */
export function quantity(
  initially: number,
  { from, to }: Pick<Quantity, 'from' | 'to'>,
  description: string,
): Quantity {
  return { kind: 'quantity', from, to, default: initially, description, isSensitive: false };
}

/** A setting that names a time zone. */
export function timeZone(description: string): TimeZone {
  return { kind: 'time-zone', default: '', description, isSensitive: false };
}

/** The same setting, which nobody may change for others. */
export function sensitive<Kind extends Setting>(setting: Kind): Kind {
  return { ...setting, isSensitive: true };
}

/** The values of a setting in the log, including values that later versions no longer offer. */
export const settingValueSchema = z.union([z.boolean(), z.number().int(), z.string()]);
export type SettingValue = z.infer<typeof settingValueSchema>;
