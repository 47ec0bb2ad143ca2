import { LRUCache } from 'lru-cache';
import { type Matcher, RE2JS } from 're2js';
import { budgets } from '../kernel/budgets.js';
import { findBareAddress } from './inline/bare-link.js';
import type { LinkifiedText } from './references.js';
import { expandUrlTemplate } from './url-template.js';
import { safeUrl } from './url.js';

/** A rule of the organization that turns matching texts into links. */
export interface Linkifier {
  /** An RE2 expression with a named group (`(?P<name>…)`) for every variable of the template. */
  readonly pattern: string;
  /** A URI template (RFC 6570). */
  readonly urlTemplate: string;
}

const compiled = new LRUCache<string, { readonly expression: RE2JS | null }>({ max: 500 });

/**
 * Finds the texts that linkifiers match, with the addresses that they become. The expressions come from people, so they run in an engine
 * with linear time. Matches inside code or other links are not shown as links later.
 */
export function linkify(content: string, linkifiers: readonly Linkifier[]): readonly LinkifiedText[] {
  const found = new Map<string, LinkifiedText>();
  const allowance = newAllowance();
  for (const linkifier of linkifiers) {
    for (const { text, url } of matchesOf(linkifier, content, allowance)) {
      if (!found.has(text)) found.set(text, { text, url });
    }
  }
  return [...found.values()];
}

/**
 * The links of a topic, as in `topic_links`: matches of linkifiers and bare addresses, in the order of the text. Of overlapping ones, the
 * earlier linkifier wins.
 */
export function findTopicLinks(topic: string, linkifiers: readonly Linkifier[]): readonly LinkifiedText[] {
  const links: PlacedLink[] = [];
  const allowance = newAllowance();
  const candidates = [
    ...linkifiers.flatMap((linkifier) => [...matchesOf(linkifier, topic, allowance)]),
    ...addressesOf(topic),
  ];
  for (const candidate of candidates) {
    if (!links.some((link) => overlap(link, candidate))) links.push(candidate);
  }
  return links.sort((one, other) => one.start - other.start).map(({ text, url }) => ({ text, url }));
}

interface PlacedLink extends LinkifiedText {
  readonly start: number;
}

function overlap(one: PlacedLink, other: PlacedLink): boolean {
  return one.start < other.start + other.text.length && other.start < one.start + one.text.length;
}

function addressesOf(topic: string): readonly PlacedLink[] {
  return [...topic.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const found = findBareAddress(word);
    const safe = found === undefined ? undefined : safeUrl(found.address);
    if (found === undefined || safe === undefined) return [];
    // In topics, clients expect https for an address without a scheme.
    const url = safe === `http://${found.address}` ? `https://${found.address}` : safe;
    return [{ text: found.address, url, start: index + found.start }];
  });
}

/**
 * One search is linear in the text, but it may read to the end of the text to find one match, so a text full of matches takes quadratic
 * time. The total cost of all linkifiers of a text is therefore limited: the number of characters that searches may read, times the size of
 * the compiled expression. Ordinary expressions reach the limit only in long paragraphs with hundreds of links.
 */
interface Allowance {
  steps: number;
}

function newAllowance(): Allowance {
  return { steps: budgets.linkifying.max };
}

function* matchesOf(
  { pattern, urlTemplate }: Linkifier,
  content: string,
  allowance: Allowance,
): Generator<PlacedLink> {
  const expression = compile(pattern);
  if (expression === null) return;
  const names = Object.keys(expression.namedGroups()).filter((name) => name !== WHOLE_GROUP);
  for (const { matcher, paragraph } of searches(expression, content, allowance)) {
    const text = matcher.group(WHOLE_GROUP) ?? '';
    const variables = Object.fromEntries(names.map((name) => [name, matcher.group(name) ?? '']));
    const address = expandUrlTemplate(urlTemplate, variables);
    const url = address === null ? undefined : safeUrl(address);
    if (text !== '' && url !== undefined) yield { text, url, start: paragraph + matcher.start(WHOLE_GROUP) };
  }
}

interface Search {
  /** Positioned at a match. */
  readonly matcher: Matcher;
  /** Start of the paragraph that is being searched; matches do not extend beyond it. */
  readonly paragraph: number;
}

/** Yields one match after the other, until there are no more or the allowance is used up. */
function* searches(expression: RE2JS, content: string, allowance: Allowance): Generator<Search> {
  const size = expression.programSize();
  for (const { 0: text, index: paragraph } of content.matchAll(/(?:[^\n]|\n(?!\n))+/g)) {
    const matcher = expression.matcher(text);
    let from = 0;
    while (from < text.length) {
      allowance.steps -= size * (text.length - from);
      if (allowance.steps < 0) return;
      if (!matcher.find(from)) break;
      yield { matcher, paragraph };
      // The character after a match may also be the one before the next match.
      from = Math.max(matcher.end(WHOLE_GROUP), from + 1);
    }
  }
}

const WHOLE_GROUP = 'palimpsest_whole';

function compile(pattern: string): RE2JS | null {
  const known = compiled.get(pattern);
  if (known !== undefined) return known.expression;
  const expression = compileDelimited(pattern);
  compiled.set(pattern, { expression });
  return expression;
}

/** A match must follow a blank, a bracket, a quotation mark or a Markdown mark, and no letter or digit may follow it. */
function compileDelimited(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(`(?:^|[\\s\\x{85}\\pZ'"(,:<>|*~])(?P<${WHOLE_GROUP}>${pattern})(?:$|[^\\pL\\pN])`);
  } catch {
    // Unsupported expressions are refused when a linkifier is created; an imported one matches nothing.
    return null;
  }
}
