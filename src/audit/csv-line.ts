/** A line of comma-separated values (RFC 4180), without its line end. */
export function csvLine(values: readonly string[]): string {
  return values.map(csvCell).join(',');
}

/** Marks as text what a spreadsheet would take for a formula: anybody can choose names and texts. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
