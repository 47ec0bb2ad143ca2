/**
 * A line that begins with a letter and holds nothing but letters, digits, blanks and the punctuation that no rule looks
 * at; a full stop counts where no address can go on behind it.
 */
const plainLine =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u167f](?:[A-Za-z0-9 ,;!?()'"/%=+-]|[\u00c0-\u167f]|\.(?![^ 0-9]))*$/;

/** Whether a text is a single paragraph that stands for itself: most messages are, and need no parsing. */
export function isPlainText(content: string): boolean {
  return plainLine.test(content) && !content.endsWith(' ');
}
