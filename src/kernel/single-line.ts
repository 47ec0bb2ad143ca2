/** Characters that end a line, or that cannot be seen and change what stands around them: none of them belongs into a name. */
const notOfNames = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/u;

/** Whether a text can stand on one line, as names do. */
export function isSingleLine(text: string): boolean {
  return !notOfNames.test(text);
}
