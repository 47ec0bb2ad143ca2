/**
 * A line that begins with a letter and contains only letters, digits, blanks and punctuation without meaning in Markdown. A full stop is
 * only allowed where it cannot be part of an address.
 */
const plainLine =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u167f](?:[A-Za-z0-9 ,;!?()'"/%=+-]|[\u00c0-\u167f]|\.(?![^ 0-9]))*$/;

/** Whether a text is a single paragraph without any markup: most messages are, and need no parsing. */
export function isPlainText(content: string): boolean {
  return plainLine.test(content) && !content.endsWith(' ');
}
