const tabWidth = 4;

/** Splits a text into lines, and removes the control characters that the renderer uses for placeholders. All styles of line ends are accepted. */
export function splitSource(content: string): readonly string[] {
  return content
    .replace(/[\u0002\u0003]/g, '')
    .trimEnd()
    .replace(/^\n+/, '')
    .split(/\r\n?|\n/);
}

/** Expands tabs to multiples of four columns, and empties lines that contain only blanks. */
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
