import emojiNames from './data/emoji-names.json' with { type: 'json' };

/** Names of every built-in emoji by its code, as the API knows them; the first of each is its own name. */
export const emojiNamesByCode: Readonly<Record<string, readonly string[]>> = emojiNames;

const codesByName = new Map<string, string>();
for (const [code, names] of Object.entries(emojiNamesByCode)) {
  for (const name of names) codesByName.set(name, code);
}
const ownNames = new Map(Object.entries(emojiNamesByCode).map(([code, names]) => [code, names[0] ?? code]));

/** The code of a built-in emoji: its code points in hexadecimal, joined by `-`, without variation selectors. */
export function emojiCode(name: string): string | undefined {
  return codesByName.get(name);
}

/** The first name of a built-in emoji. */
export function emojiOwnName(code: string): string | undefined {
  return ownNames.get(code);
}

/** How a built-in emoji stands in a message. Names and codes hold nothing that needs escaping. */
export function emojiHtml(code: string, name: string): string {
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}
