const tabWidth = 4;

/**
 * The lines of a text, without the characters that mark places of the renderer's own. Line ends of every system are
 * understood.
 */
export function splitSource(content: string): readonly string[] {
  return content
    .replace(/[\u0002\u0003]/g, '')
    .trimEnd()
    .replace(/^\n+/, '')
    .split(/\r\n?|\n/);
}

/** Tabs become blanks up to the next multiple of four columns, and lines of blanks become empty. */
export function normalizeBlanks(line: string): string {
  const expanded = line.includes('\t') ? expandTabs(line) : line;
  return /^ +$/.test(expanded) ? '' : expanded;
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t');
  let expanded = first;
  let column = [...first].length;
  for (const part of rest) {
    const blanks = tabWidth - (column % tabWidth);
    expanded += ' '.repeat(blanks) + part;
    column += blanks + [...part].length;
  }
  return expanded;
}
