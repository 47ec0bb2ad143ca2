/** Maximum length of a quoted text in code points; the event has the whole text. */
const MAX_QUOTED = 80;

/** Maximum number of items of a list that are named. */
const MAX_NAMED = 5;

/**
 * A text on one line, without characters that terminals and browsers interpret: control characters, and those that
 * change the direction of writing.
 */
export function plain(text: string): string {
  return text
    .replaceAll(/[\s\u0085\u2028\u2029]+/gu, ' ')
    .replaceAll(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
    .trim();
}

/** The lines of a text, each like {@link plain}, but with its spaces. */
export function plainLines(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/(?!\t)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu, '\ufffd'));
}

/** Quotes a text within a sentence, and cuts a long one. */
export function quoted(text: string): string {
  const points = [...plain(text)];
  return `“${points.length > MAX_QUOTED ? `${points.slice(0, MAX_QUOTED).join('')}…` : points.join('')}”`;
}

/** A list of items: the first few, and how many more there are. */
export function listed(names: readonly string[], none = 'nothing'): string {
  if (names.length === 0) return none;
  const named = names.slice(0, MAX_NAMED);
  const more = names.length - named.length;
  const all = more > 0 ? [...named, counted(more, 'other')] : named;
  const last = all.at(-1)!;
  return all.length === 1 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

/** A number with its noun, in the singular or plural. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** A time in UTC. @param milliseconds since the UNIX epoch */
export function timeOf(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return 'a time out of range';
  return `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The name of a setting, with spaces between its words. */
export function settingName(name: string): string {
  return plain(name).replaceAll('_', ' ');
}
