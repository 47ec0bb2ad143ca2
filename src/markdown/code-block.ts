import { escapeAttribute, escapeLiteral } from './html.js';
import wordsByLanguage from './data/languages.json' with { type: 'json' };

/** Display names of languages by the words that people write after a fence's mark. */
const languagesByWord = new Map(
  Object.entries(wordsByLanguage).flatMap(([name, words]) => words.map((word) => [word, name] as const)),
);

/** A block of code without highlighting: clients highlight it themselves, by the name of its language. */
export function codeBlock(code: string, language = ''): string {
  const name = language === '' ? '' : ` data-code-language="${escapeAttribute(languageName(language))}"`;
  const text = escapeLiteral(withoutOuterNewlines(code));
  return `<div class="codehilite"${name}><pre><span></span><code>${text}\n</code></pre></div>`;
}

function withoutOuterNewlines(code: string): string {
  let from = 0;
  let to = code.length;
  while (code[from] === '\n') from += 1;
  while (to > from && code[to - 1] === '\n') to -= 1;
  return code.slice(from, to);
}

/** The name by which clients show and highlight a language; an unknown word is used as it is. */
function languageName(word: string): string {
  return languagesByWord.get(word.toLowerCase()) ?? word;
}
