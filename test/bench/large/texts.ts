import type { Random } from './random.js';

/** Words for measuring searches: the purpose of each, and how often it occurs in the texts. */
export const soughtWords = {
  /** In nearly every text. */
  common: 'release',
  otherCommon: 'customer',
  /** In one of ten thousand texts. */
  rare: 'quokka',
  /** Both are in many texts, but never next to each other: `begins` is always a text's first word, `ends` its last. */
  begins: 'harbour',
  ends: 'lantern',
  /** In one of five thousand texts; it is an alert word of the requester. */
  alert: 'zeppelin',
} as const;

const SYLLABLES = [
  'ba',
  'den',
  'fo',
  'gri',
  'hal',
  'jo',
  'ka',
  'lum',
  'mer',
  'no',
  'pra',
  'sti',
  'tu',
  'vel',
  'wo',
];
const VOCABULARY = 8_000;
const vocabulary = Array.from({ length: VOCABULARY }, (_, index) => wordAt(index));

function wordAt(index: number): string {
  if (index === 0) return soughtWords.common;
  if (index === 1) return soughtWords.otherCommon;
  let word = '';
  for (let rest = index + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length)) {
    word += SYLLABLES[rest % SYLLABLES.length]!;
  }
  return word;
}

/** A text of 190 characters on average; most texts are short, some are long. */
export function writeText(random: Random): string {
  const words = Array.from(
    { length: 4 + random.skewedBelow(110) },
    () => vocabulary[random.skewedBelow(VOCABULARY)]!,
  );
  if (random.happens(0.05)) words.unshift(soughtWords.begins);
  if (random.happens(0.0001)) words.splice(2, 0, soughtWords.rare);
  if (random.happens(0.0002)) words.splice(1, 0, soughtWords.alert);
  if (random.happens(0.05)) words.push(soughtWords.ends);
  return shaped(words, random);
}

/** Formats some of the words as lists, code, quotations, emphasis and links. */
function shaped(words: readonly string[], random: Random): string {
  const text = words.join(' ');
  const kind = random.fraction();
  if (kind < 0.03) return `${text}\n\n* ${words.slice(0, 6).join('\n* ')}`;
  if (kind < 0.06) return `${text}\n\n\`\`\`\n${words.slice(0, 8).join('(')}\n\`\`\``;
  if (kind < 0.08) return `> ${words.slice(0, 5).join(' ')}\n\n${text}`;
  if (kind < 0.11) return `**${words[0]!}** ${text}`;
  if (kind < 0.14) return `${text} https://example.com/${words.slice(0, 2).join('/')}`;
  if (kind < 0.144) return `${text} https://example.com/${words[0]!}.png`;
  if (kind < 0.146)
    return `${text}\n\n| a | b |\n|---|---|\n${words
      .slice(0, 6)
      .map((word) => `| ${word} | 1 |`)
      .join('\n')}`;
  return text;
}
