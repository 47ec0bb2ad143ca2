import { describe, expect, it } from '@jest/globals';
import { budgets } from '../../src/kernel/budgets.js';
import { renderMarkdown, renderWithinBudget, refuseUnrenderable } from '../../src/markdown/render.js';
import { linkify } from '../../src/markdown/linkify.js';
import type { RenderReferences } from '../../src/markdown/references.js';
import { findReferences, resolveReferences } from '../../src/markdown/resolve-references.js';
import { refusal } from '../support/given.js';
import { corpusLookup } from '../support/markdown-corpus.js';

/** The maximum length of a message. */
const longest = 10_000;

function filled(piece: string, length = longest): string {
  return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
}

function referencesIn(content: string): RenderReferences {
  return resolveReferences(findReferences(content), corpusLookup('Emo Tran')).references;
}

/** The error for writing a text. Its references are looked up first; then it is rendered without formulas. */
function refusalOf(content: string): string | null {
  return refusal(() => refuseUnrenderable(content, referencesIn(content)));
}

/** A table of 100 columns with a border on both sides. */
function table(rows: number): string {
  return [filled('|', 101), filled('|', 101), ...filled('a', rows)].join('\n');
}

const overBudget: Readonly<Record<string, string>> = {
  'a wide and long table': `${filled('|', 2_000)}\n${filled('|', 2_000)}\n${filled('a\n', 5_800)}`,
  'a table all of whose cells are aligned': `${filled('|', 1_001)}\n${filled(':-:|', 4_000)}\n${filled('a\n', 3_999)}`,
  'a table in a quotation': `~~~quote\n${filled('|', 1_500)}\n${filled('|', 1_500)}\n${filled('a\n', 4_000)}\n~~~`,
  'emoji by their characters': filled('⌚'),
  'emoji by their names': filled(':a:'),
  'rules above what may be a table or a heading': `${'---\n'.repeat(2_499)}|#`,
  'lines in twenty quotations': '```quote\n'.repeat(20) + 'a\n'.repeat(4_900),
  'a quotation in forty levels': `${'> '.repeat(40)}a\n${'b\n'.repeat(4_900)}`,
  'beginnings of addresses that nothing ends': `${filled(':http://a/', 9_990)}"x`,
  'beginnings of links that lead nowhere': `${filled('[a](javascript:', 9_000)}${')'.repeat(700)}`,
};

describe('a text over budget', () => {
  it.each(Object.entries(overBudget))('is refused: %s', (_what, content) => {
    expect(refusalOf(content)).toBe('unrenderableText');
  });

  it.each(Object.entries(overBudget))(
    'is shown as plain text where the log has it already: %s',
    (_what, content) => {
      const { html, ...facts } = renderMarkdown(content, {});
      expect(html.length).toBeLessThan(6 * longest);
      const shown = html.slice('<p>'.length, -'</p>'.length);
      expect(shown.replaceAll('<br>\n', '\n').replaceAll('&gt;', '>')).toBe(content);
      expect(facts).toEqual({ hasLink: false, hasImage: false, isMeMessage: false });
    },
  );
});

describe('the budget of', () => {
  it('cells is for all tables together', () => {
    const { max } = budgets.tableCells;
    const rows = max / 100 - 1;
    expect(refusalOf(table(rows))).toBe(null);
    expect(renderMarkdown(table(rows), {}).html.split('<t').length - 1).toBe(max + rows + 1 + 3);
    expect(refusalOf(table(rows + 1))).toBe('unrenderableText');
    expect(refusalOf(`${table(rows - 1)}\n\n${table(1)}`)).toBe('unrenderableText');
  });

  it('HTML is exact', () => {
    const text = (length: number): string => `_${filled('x', length - 1)}`;
    const maxTextLength = budgets.renderedHtml.max - '<p></p>'.length;
    expect(renderMarkdown(text(maxTextLength - 1), {}).html).toBe(`<p>${text(maxTextLength - 1)}</p>`);
    expect(refusalOf(text(maxTextLength - 1))).toBe(null);
    expect(refusalOf(text(maxTextLength + 1))).toBe('unrenderableText');
    const watch = renderMarkdown('⌚', {}).html.length - '<p></p>'.length;
    const max = Math.floor(maxTextLength / watch);
    expect(refusalOf('⌚'.repeat(max))).toBe(null);
    expect(refusalOf('⌚'.repeat(max + 1))).toBe('unrenderableText');
  });

  it('steps is far beyond what writing takes', () => {
    const rules = (count: number): string => `${'---\n'.repeat(count)}#`;
    // After each of n rules of four characters, the rest of the text is searched for headings again: about 2n²
    // steps.
    const max = Math.sqrt(budgets.renderingSteps.max / 2);
    expect(refusalOf(rules(Math.floor(0.9 * max)))).toBe(null);
    expect(refusalOf(rules(Math.ceil(1.1 * max)))).toBe('unrenderableText');
  });

  it('one formula counts cells and primes several times', () => {
    const isSet = (tex: string): boolean => renderMarkdown(`$$${tex}$$`, {}).html.includes('class="katex"');
    const { max } = budgets.formula;
    expect([max, max + 1].map((length) => isSet(filled('x', length)))).toEqual([true, false]);
    const matrix = (cells: number): string => `\\begin{matrix}${filled('&', cells)}\\end{matrix}`;
    const maxCells = Math.floor((max - matrix(0).length) / 6);
    expect([maxCells, maxCells + 1].map((cells) => isSet(matrix(cells)))).toEqual([true, false]);
  });

  it('formulas is for all of them together; those that exceed it are shown as they were typed', () => {
    const halves = filled('x', budgets.formulas.max / 2);
    const { html } = renderMarkdown(`$$${halves}$$ $$${halves}$$ $$y$$`, {});
    expect(html.split('class="katex"').length - 1).toBe(2);
    expect(html).toContain('<span class="tex-error">$$y$$</span>');
  });

  it('linkifiers is for all of them together', () => {
    const pattern = (word: string): string => `${word}(?P<id>[0-9]+)`;
    const linkifiers = ['a', 'b'].map((word) => ({
      pattern: pattern(word),
      urlTemplate: 'https://x.de/{id}',
    }));
    const found = (content: string): readonly string[] =>
      linkify(content, linkifiers).map(({ text }) => text);
    expect(found('a1 b1')).toEqual(['a1', 'b1']);
    // Each search of such a paragraph reads all of it, with a regular expression of several instructions.
    const exhausting = `${filled('a1 ', budgets.linkifying.max / 1_000)}b1`;
    expect(found(exhausting)).toEqual(['a1']);
  });
});

describe('within the budget', () => {
  it('no short text is refused, so that only longer ones are rendered to be accepted', () => {
    const densest = `${filled('|', 50)}\n${filled('|', 50)}\n${filled('a\n', 98)}`;
    expect(densest.length).toBe(200);
    expect(renderMarkdown(densest, {}).html.length).toBeGreaterThan(20_000);
    expect(refusalOf(densest)).toBe(null);
  });

  it('formulas get what the rest leaves', () => {
    const formulas = '$$\\vec x$$ '.repeat(100);
    const alone = renderMarkdown(formulas, {}).html;
    const beside = renderMarkdown(`${formulas}\n\n${'⌚'.repeat(1_650)}`, {}).html;
    expect(beside.length).toBeLessThanOrEqual(budgets.renderedHtml.max);
    const set = (html: string): number => html.split('class="katex"').length - 1;
    expect(set(alone)).toBe(100);
    expect(set(beside)).toBeGreaterThan(0);
    expect(set(beside)).toBeLessThan(100);
  });

  it('a formula within a link, a time or a mark is set where it stands', () => {
    const { html } = renderMarkdown('**$$x$$** [$$y$$](/a) ~~$$z$$~~', {});
    expect(html.split('class="katex"').length - 1).toBe(3);
    expect(html).not.toMatch(/[\u0002\u0003]/);
    expect(html).toMatch(/<a href="\/a"><span class="katex">/);
  });
});

describe('texts that linkifiers matched', () => {
  const linked = (content: string, ...texts: readonly string[]): string => {
    const linkified = texts.map((text) => ({ text, url: `/${encodeURIComponent(text)}` }));
    return renderMarkdown(content, { linkified }).html.replace(/<a [^>]*>([^<]*)<\/a>/g, '[$1]');
  };

  it.each([
    ['#1 #12 x#1 (#1)', ['#1', '#12'], '<p>[#1] [#12] x#1 ([#1])</p>'],
    ['#1 #12', ['#12', '#1'], '<p>[#1] [#12]</p>'],
    ['a b c', ['b c', 'a b'], '<p>a [b c]</p>'],
    ['a b c', ['a b', 'b c'], '<p>[a b] c</p>'],
    ['a:b', ['b', 'a:'], '<p>[a:][b]</p>'],
    ['a:b', ['a:', 'b'], '<p>a:[b]</p>'],
    ['#1,#1', ['#1'], '<p>[#1],[#1]</p>'],
  ])('%j with %j becomes %s', (content, texts, html) => {
    expect(linked(content, ...texts)).toBe(html);
  });

  it('cost no more when there are many of them in many paragraphs', () => {
    const numbers = Array.from({ length: 1_500 }, (_, index) => `#${index + 1_000}`);
    const content = numbers.join('\n\n');
    expect(linked(content, ...numbers).split('[#').length - 1).toBe(numbers.length);
  });

  it('cost more the longer they are, so that many long ones exceed the budget', () => {
    const content = ' x'.repeat(5_000);
    const texts = (length: number): string[] =>
      Array.from({ length: 20 }, (_, index) => `${'x '.repeat(length / 2).slice(index)}y`);
    const render = (length: number) => (): unknown =>
      renderWithinBudget(content, { linkified: texts(length).map((text) => ({ text, url: '/a' })) });
    expect(render(60)).not.toThrow();
    expect(render(600)).toThrow('Unable to render message');
  });
});
