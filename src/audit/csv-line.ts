/** A line of comma-separated values (RFC 4180), without its end. */
export function csvLine(values: readonly string[]): string {
  return values.map(csvCell).join(',');
}

/** What a spreadsheet would take for a formula is marked as text: names and texts are whatever somebody chose. */
function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
