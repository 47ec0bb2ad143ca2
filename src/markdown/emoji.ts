import emojiNames from './data/emoji-names.json' with { type: 'json' };

/** Names of each built-in emoji by its code, as in the API. The first one is the canonical name. */
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

/** The canonical name of a built-in emoji. */
export function emojiOwnName(code: string): string | undefined {
  return ownNames.get(code);
}

/** The HTML of a built-in emoji. Names and codes contain nothing that needs escaping. */
export function emojiHtml(code: string, name: string): string {
  const title = name.replaceAll('_', ' ');
  return `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`;
}
