/** Splits a text after its leading lines that are indented by `width` blanks. The first part is returned without that indentation. */
export function splitIndented(text: string, width: number): { indented: string; rest: string } {
  const lines = text.split('\n');
  const indentation = ' '.repeat(width);
  const indented: string[] = [];
  for (const line of lines) {
    if (line.startsWith(indentation)) indented.push(line.slice(width));
    else if (line.trim() === '') indented.push('');
    else break;
  }
  return { indented: indented.join('\n'), rest: lines.slice(indented.length).join('\n') };
}

/** Removes `width` blanks from every line that begins with that many. */
export function outdent(text: string, width: number): string {
  const indentation = ' '.repeat(width);
  return text
    .split('\n')
    .map((line) => (line.startsWith(indentation) ? line.slice(width) : line))
    .join('\n');
}

/** The number of leading blanks. */
export function indentationOf(text: string): number {
  let width = 0;
  while (text[width] === ' ') width += 1;
  return width;
}
