/** Longer values are split over several lines. */
const WIDTH = 120;

/**
 * JSON that is easy to compare: keys are sorted, and each value that fits is on one line.
 *
 * @param indent the indentation of the lines after the first
 */
export function prettyJson(value: unknown, indent = ''): string {
  return spread(sorted(value), indent);
}

function spread(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || line.length + indent.length <= WIDTH) return line;
  const inner = `${indent} `;
  const [open, members, close] = Array.isArray(value)
    ? ['[', value.map((one) => spread(one, inner)), ']']
    : ['{', Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spread(one, inner)}`), '}'];
  return `${open}\n${members.map((member) => `${inner}${member}`).join(',\n')}\n${indent}${close}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return Object.fromEntries(
    entries.sort(([left], [right]) => (left < right ? -1 : 1)).map(([key, one]) => [key, sorted(one)]),
  );
}
