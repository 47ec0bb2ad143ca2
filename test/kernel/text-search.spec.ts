import { describe, expect, it } from '@jest/globals';
import { highlightHtml, highlightPlain } from '../../src/contexts/messages/text-search/highlight.js';
import {
  isVague,
  joinQueries,
  matchesQuery,
  parseTextQuery,
} from '../../src/contexts/messages/text-search/text-query.js';
import { stemsIn } from '../../src/contexts/messages/text-search/words.js';

describe('the words of a text', () => {
  it.each([
    ['Weaving looms weave', ['loom', 'weav']],
    ['what it is about', []],
    ['#123 v2.5', ['123', '5', 'v2']],
    ['naïve Straße', ['naïve', 'straße']],
    ['Ｗｅａｖｅ', ['weav']],
    ['織機 とloom', ['loom', 'と', '機', '織']],
    ['x'.repeat(100), ['x'.repeat(64)]],
  ])('of %j are %j', (text, words) => {
    expect(stemsIn(text)).toEqual([...words].sort());
  });
});

it.each(['Weaving looms weave_2', "it's v2.5-beta (`x = y`)\n* 10% of #4711", 'x'.repeat(100)])(
  'the words of %j are the same beside other scripts',
  (text) => {
    expect(stemsIn(`${text} ü`)).toEqual([...stemsIn(text), 'ü']);
  },
);

describe('a query', () => {
  const message = { content: 'The **difference** engines are weaving', topic: 'Jacquard looms' };

  it.each([
    ['engine', true],
    ['ENGINES weave', true],
    ['engine loom', true],
    ['engine jacquard weaving', true],
    ['engine steam', false],
    ['"engines are"', true],
    ['"are engines"', false],
    ['"JACQUARD loom"', true],
    ['"difference engines"', false],
    ['weave "engines are"', true],
    ['steam "engines are"', false],
    ['the engine', true],
  ])('for %s is answered by a message: %s', (operand, expected) => {
    expect(matchesQuery(parseTextQuery(operand), message)).toBe(expected);
  });

  it('for several things is answered by all of them together', () => {
    const query = joinQueries([parseTextQuery('engine'), parseTextQuery('"looms"')]);
    expect(matchesQuery(query, message)).toBe(true);
    expect(matchesQuery(query, { ...message, topic: null })).toBe(false);
  });

  it('is vague if it contains only stop words', () => {
    expect(isVague(parseTextQuery('the "of the"'))).toBe(true);
    expect(isVague(parseTextQuery('the loom'))).toBe(false);
  });
});

describe('found words are marked', () => {
  const marked = (html: string, operand: string): string =>
    highlightHtml(html, new Set(parseTextQuery(operand).stems));

  it.each([
    ['<p>third draft of words</p>', 'word', '<p>third draft of <span class="highlight">words</span></p>'],
    ['<p>a <b>loom</b></p>', 'looms', '<p>a <b><span class="highlight">loom</span></b></p>'],
    ['<a href="/loom" title="loom">x</a>', 'loom', '<a href="/loom" title="loom">x</a>'],
    [
      '<p>amp &amp; lt &lt;</p>',
      'amp lt',
      '<p><span class="highlight">amp</span> &amp; <span class="highlight">lt</span> &lt;</p>',
    ],
    ['<p>loom</p>', 'engine', '<p>loom</p>'],
  ])('in %s for %s: %s', (html, operand, expected) => {
    expect(marked(html, operand)).toBe(expected);
  });

  it('in a topic, of which nothing becomes markup', () => {
    expect(highlightPlain('<b>loom', new Set(['loom']))).toBe('&lt;b&gt;<span class="highlight">loom</span>');
  });
});
