/** Well-formed character references in the text are kept: the API's clients expect `&copy;` to mean ©. */
const textCharacters = /[<>]|&(?!(?:#\d+|#x[\da-f]+|[\da-z]+);)/gi;
const attributeCharacters = /[<>"]|&(?!(?:#\d+|#x[\da-f]+|[\da-z]+);)/gi;
const literalCharacters = /[<>&]/g;

const needsTextEscape = /[<>&]/;
const needsAttributeEscape = /[<>&"]/;

/** Escapes text between tags. Well-formed character references are kept. */
export function escapeText(text: string): string {
  return needsTextEscape.test(text) ? text.replace(textCharacters, characterReference) : text;
}

/** Escapes text between tags in which nothing has a special meaning: code. */
export function escapeLiteral(text: string): string {
  return needsTextEscape.test(text) ? text.replace(literalCharacters, characterReference) : text;
}

/** Escapes the value of a double-quoted attribute. */
export function escapeAttribute(value: string): string {
  return needsAttributeEscape.test(value) ? value.replace(attributeCharacters, characterReference) : value;
}

function characterReference(character: string): string {
  switch (character) {
    case '<':
      return '&lt;';
    case '>':
      return '&gt;';
    case '"':
      return '&quot;';
    default:
      return '&amp;';
  }
}
