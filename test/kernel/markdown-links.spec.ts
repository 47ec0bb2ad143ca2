import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { type Matcher, RE2JS } from 're2js';
import { findTopicLinks, linkify } from '../../src/markdown/linkify.js';
import { renderMarkdown } from '../../src/markdown/render.js';
import { expandUrlTemplate, isUrlTemplate, templateVariables } from '../../src/markdown/url-template.js';
import { safeUrl } from '../../src/markdown/url.js';

const ticket = { pattern: '#(?P<id>[0-9]+)', urlTemplate: 'https://example.com/{id}' };

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a linkifier', () => {
  it('turns each text that it matches into an address, once', () => {
    expect(linkify('#1 #2, (#1) a#3 #4b', [ticket])).toEqual([
      { text: '#1', url: 'https://example.com/1' },
      { text: '#2', url: 'https://example.com/2' },
    ]);
  });

  it('is matched in linear time, for any expression', () => {
    const evil = { pattern: '(?P<a>(x+x+)+y)', urlTemplate: 'https://example.com/{a}' };
    expect(linkify('x'.repeat(5000), [evil])).toEqual([]);
  });

  it.each([
    ['in a text full of matches', '(?P<a>x([0-9]+ .*y)?)'],
    ['with a large expression', `(?P<a>x${'(x?){0,1000}'.repeat(4)})`],
  ])('costs no more than so much: %s', (_, pattern) => {
    const read = countCharactersRead();
    const text = Array.from({ length: 1_500 }, (_, index) => `x${index}`).join(' ');
    linkify(text, [{ pattern, urlTemplate: 'https://example.com/{a}' }]);
    expect(read() * RE2JS.compile(pattern).programSize()).toBeLessThan(20_000_000);
  });

  it('finds its matches in as many paragraphs as there are', () => {
    const text = Array.from({ length: 1_500 }, (_, index) => `#${index}`).join('\n\n');
    expect(linkify(text, [ticket])).toHaveLength(1_500);
  });

  it('that does not compile, or makes no safe address, makes no link', () => {
    expect(linkify('#1', [{ pattern: '(', urlTemplate: 'https://example.com' }])).toEqual([]);
    expect(linkify('#1', [{ pattern: '#(?P<id>[0-9]+)', urlTemplate: 'javascript:alert({id})' }])).toEqual(
      [],
    );
  });

  it('is not asked again when a text is rendered', () => {
    const references = { linkified: [{ text: '#1', url: 'https://example.com/1' }] };
    expect(renderMarkdown('see #1 and `#1`, not #12', references).html).toBe(
      '<p>see <a href="https://example.com/1">#1</a> and <code>#1</code>, not #12</p>',
    );
  });

  it('cannot bring in an unsafe address through a stored reference', () => {
    const references = { linkified: [{ text: '#1', url: 'javascript:alert(1)' }] };
    expect(renderMarkdown('see #1', references).html).toBe('<p>see #1</p>');
  });
});

describe('the links of a topic', () => {
  it('are those of linkifiers and bare addresses, in the order of the text and without overlaps', () => {
    expect(findTopicLinks('https://a.example/#7 then #8', [ticket])).toEqual([
      { text: 'https://a.example/#7', url: 'https://a.example/#7' },
      { text: '#8', url: 'https://example.com/8' },
    ]);
  });

  it('are secure where an address in it names no scheme', () => {
    const links = findTopicLinks('example.com/a then http://b.example and ada@c.example', []);
    expect(links.map(({ url }) => url)).toEqual([
      'https://example.com/a',
      'http://b.example',
      'mailto:ada@c.example',
    ]);
  });
});

describe('an address', () => {
  it.each([
    ['///example.com', '/example.com'],
    ['https://example.com', 'https://example.com'],
    ['HTTPS://example.com', 'https://example.com'],
    ['example.com/a', 'http://example.com/a'],
    ['//example.com', 'http://example.com'],
    ['a@example.com', 'mailto:a@example.com'],
    ['/#narrow/channel/1-x', '/#narrow/channel/1-x'],
    ['#fragment', '#fragment'],
    ['https://example.com/\nbroken', 'https://example.com/broken'],
    ['https://example.com/?#', 'https://example.com/'],
    ['https://example.com/?#a?', 'https://example.com/#a?'],
    ['https://example.com/##', 'https://example.com/##'],
  ])('%s leads to %s', (typed, url) => {
    expect(safeUrl(typed)).toBe(url);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:x',
    'steam://run/1',
    'about:blank',
    '',
  ])('%j leads nowhere', (typed) => {
    expect(safeUrl(typed)).toBeUndefined();
  });
});

describe('a URL template', () => {
  it.each([
    ['https://x/{a}', 'https://x/1%202'],
    ['https://x/{+b}', 'https://x/p/q'],
    ['https://x{/a,b}', 'https://x/1%202/p%2Fq'],
    ['https://x{?a,b}', 'https://x?a=1%202&b=p%2Fq'],
    ['https://x?c=1{&e}', 'https://x?c=1&e='],
    ['https://x{;e}', 'https://x;e'],
    ['https://x{#b}', 'https://x#p/q'],
    ['https://x{.b:1}', 'https://x.p'],
    ['https://x/{unknown}', 'https://x/'],
  ])('%s becomes %s', (template, url) => {
    expect(expandUrlTemplate(template, { a: '1 2', b: 'p/q', e: '' })).toBe(url);
  });

  it('leads nowhere where it cuts a character in two', () => {
    expect(expandUrlTemplate('https://x/{a:1}', { a: '🐙' })).toBeNull();
  });

  it.each([
    ['https://x/{a}', true],
    ['https://x{?a,b*}{&c:3}', true],
    ['plain', true],
    ['https://x/{a', false],
    ['https://x/a}', false],
    ['https://x/{}', false],
    ['https://x/{a b}', false],
    ['https://x/%(a)s', true],
    ['https://x/<a>', false],
  ])('%s is one: %s', (text, expected) => {
    expect(isUrlTemplate(text)).toBe(expected);
  });

  it('names its variables', () => {
    expect([...templateVariables('https://x{/a,b:2}{?a,c.d*}')]).toEqual(['a', 'b', 'c.d']);
  });
});

/** Counts, from now on, the characters that regular expressions may read: all those after the start of each search. */
function countCharactersRead(): () => number {
  const { prototype } = RE2JS.compile('').matcher('').constructor as { prototype: Matcher };
  let characters = 0;
  const { find } = prototype;
  jest.spyOn(prototype, 'find').mockImplementation(function (this: Matcher, start) {
    characters += this.inputLength() - (start ?? 0);
    return find.call(this, start);
  });
  return () => characters;
}
