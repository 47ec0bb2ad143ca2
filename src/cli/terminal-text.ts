/** The colours that the commands use (`styleText`), which are no danger. */
const COLOURS = String.raw`\u001b\[(?:31|32|39)m`;

const control = new RegExp(String.raw`(${COLOURS})|(?![\n\t])\p{Cc}`, 'gu');

/**
 * Replaces the control characters of a text except line breaks and tabs, because terminals interpret them: anybody can write them into a
 * message, and a forger into an event or a file.
 *
 * @param options.colours whether the colours of the commands are left
 */
export function printable(text: string, { colours = false } = {}): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(control, (found, colour?: string) =>
      colours && colour !== undefined ? found : `\ufffd${found.slice(1)}`,
    );
}

/** Escapes the control characters that JSON text may contain as they are: the same value for a program, and harmless on a terminal. */
export function printableJson(json: string): string {
  return json.replaceAll(/[\u007f-\u009f]/g, (found) => `\\u00${found.charCodeAt(0).toString(16)}`);
}
