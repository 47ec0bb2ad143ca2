import type { FoundErrors } from '../../support/operation-errors.js';

/**
 * Writes the errors in the format of `src/http/server/data/operation-errors.json`: one operation a line, with
 * groups of rows that always occur together.
 */
export function writeOperationErrors({ everywhere, authenticated, operations }: FoundErrors): string {
  const groups = groupsOf(operations);
  const shortened = Object.entries(operations).map(([name, rows]) => {
    const whole = groups.filter(([, [first]]) => rows.includes(first!));
    const grouped = new Set(whole.flatMap(([, members]) => members));
    return [name, [...whole.map(([group]) => group), ...rows.filter((row) => !grouped.has(row))]] as const;
  });
  const members = [
    `"everywhere": ${written(everywhere)}`,
    `"authenticated": ${written(authenticated)}`,
    `"groups": ${lines(groups)}`,
    `"operations": ${lines(shortened)}`,
  ];
  return `{\n  ${members.join(',\n  ')}\n}\n`;
}

type Entry = readonly [name: string, rows: readonly string[]];

/**
 * Groups of rows that occur in exactly the same operations, if these are several. A group has the name of its first
 * row, with a plus.
 */
function groupsOf(operations: FoundErrors['operations']): readonly Entry[] {
  const users = new Map<string, string[]>();
  for (const [operation, rows] of Object.entries(operations)) {
    for (const row of rows) users.set(row, [...(users.get(row) ?? []), operation]);
  }
  const together = new Map<string, string[]>();
  for (const [row, names] of [...users].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (names.length > 1) together.set(names.join(), [...(together.get(names.join()) ?? []), row]);
  }
  return [...together.values()].filter(({ length }) => length > 1).map((rows) => [`${rows[0]}+`, rows]);
}

function lines(entries: readonly Entry[]): string {
  return `{\n${entries.map(([name, rows]) => `    ${JSON.stringify(name)}: ${written(rows)}`).join(',\n')}\n  }`;
}

function written(rows: readonly string[]): string {
  return `[${rows.map((row) => JSON.stringify(row)).join(', ')}]`;
}
