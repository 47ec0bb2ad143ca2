import { describe, expect, it, jest } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import { findReferences } from '../../src/markdown/resolve-references.js';
import { cpuMilliseconds } from '../support/cpu-time.js';
import { elementsOf, htmlTree, type HtmlTree } from '../support/html-tree.js';

const render = (content: string): string => renderMarkdown(content, {}).html;
const isSet = (content: string): boolean => render(content).includes('class="katex"');

describe('what is no formula', () => {
  it.each(['$x$', '$$$x$$$', 'a$$x$$b', '$$_x$$', '$$x\n$$', '$$$$', 'costs $$ or so'])(
    '%j stays as it is',
    (content) => {
      expect(elementsOf(render(content)).filter(({ tag }) => tag === 'span')).toEqual([]);
    },
  );

  it('and code stays code', () => {
    expect(render('`$$x$$`')).toBe('<p><code>$$x$$</code></p>');
    expect(render('$$ `x` $$')).toBe('<p>$$ <code>x</code> $$</p>');
  });
});

describe('a formula', () => {
  it('hides what has a meaning elsewhere', () => {
    expect(render('$$a*b*c :tada:$$')).not.toMatch(/<em>|emoji/);
  });

  it('writes nothing to the console of the server', () => {
    expect(isSet('$$\\message{hello} x$$')).toBe(false);
    expect(isSet('$$\\show x$$')).toBe(false);
    const warn = jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(isSet('$$\\text{❤ 漢字}$$')).toBe(true);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  it.each([
    '$$\\def\\a{x}\\a$$',
    '$$\\newcommand{\\a}{x}\\a$$',
    '$$\\let\\a=x\\a$$',
    '$$\\gdef\\a{x}$$',
    '$$\\def\\a{\\a\\a}\\a$$',
  ])('defines nothing: %s', (content) => {
    expect(render(content)).toContain('<span class="tex-error">$$\\');
  });

  it('leads nowhere', () => {
    expect(render('$$\\href{javascript:alert(1)}{x}$$')).not.toContain('<a ');
    expect(render('$$\\includegraphics{https://example.com/a.png}$$')).not.toContain('<img');
  });

  it('is shown as typed when it is bad, and its characters are text', () => {
    expect(render('$$\\nosuch <b>$$')).toBe('<p><span class="tex-error">$$\\nosuch &lt;b&gt;$$</span></p>');
    expect(render('```math\n\\nosuch <b>\n```')).toBe(
      '<p><span class="tex-error">\\nosuch &lt;b&gt;</span></p>',
    );
  });

  it('is set up to a length', () => {
    expect(isSet(`$$${'x'.repeat(2_000)}$$`)).toBe(true);
    expect(isSet(`$$${'x'.repeat(2_001)}$$`)).toBe(false);
  });

  it.each([
    ['braces', '{', '}'],
    ['fractions', '\\frac{1}{', '}'],
    ['delimiters', '\\left(', '\\right)'],
    ['environments', '\\begin{matrix}', '\\end{matrix}'],
    ['switches of size', '\\large ', ''],
  ])('is set up to a depth of %s', (_what, opening, closing) => {
    const nested = (depth: number): string =>
      `$$${opening.repeat(depth)}x${closing.repeat(depth)}$$`.replaceAll('  ', ' ');
    expect([5, 10, 16, 100].map((depth) => isSet(nested(depth)))).toEqual([true, true, false, false]);
  });

  it('may be one of many in a row, each of them flat', () => {
    expect(isSet(`$$${'{\\bf x}'.repeat(100)}$$`)).toBe(true);
    expect(isSet(`$$${'\\frac{1}{2}'.repeat(100)}$$`)).toBe(true);
  });

  it('is set only as long as those before it left room', () => {
    const html = render('$$x^2+y^2=z^2$$ '.repeat(600));
    expect(html.length).toBeLessThan(400_000);
    expect(html).toContain('tex-error');
    expect(html).toContain('class="katex"');
  });

  it('is not set to look for names in the text', () => {
    const content = `@**Ada** ${'$$x^2+y^2=z^2$$ '.repeat(600)}`;
    const milliseconds = cpuMilliseconds(() => {
      for (let times = 0; times < 20; times += 1) findReferences(content);
    });
    expect(milliseconds).toBeLessThan(1_000);
  });
});

describe('a hostile formula', () => {
  it.each([
    '\\frac{1}{',
    '\\sqrt[',
    '\\sqrt1 ',
    "x'",
    'x^',
    '&',
    '\\\\',
    '\\vec1 ',
    '\\ddddot{x}',
    '\\pmb{',
    '\\rm ',
    '\\mathchoice{x}{x}{x}{',
    '\\overbrace{',
    '\\color{red}',
    '\\begin{matrix}',
    '\\left',
    '{',
    '}',
    '\\',
  ])('of %j is set or given up in bounded time, depth and size', (piece) => {
    const tex = piece.repeat(Math.ceil(1_990 / piece.length)).slice(0, 1_990);
    for (const content of [
      `$$${tex}$$ `.repeat(5),
      `\`\`\`math\n${`${tex}\n\n`.repeat(5)}\n\`\`\``,
      `$$\\begin{matrix}${tex.slice(0, 1_900)}\\end{matrix}$$`,
    ]) {
      let html = '';
      expect(cpuMilliseconds(() => (html = render(content)))).toBeLessThan(3_000);
      expect(html.length).toBeLessThan(400_000);
      expect(depthOf(htmlTree(html))).toBeLessThan(200);
      expect(html).toBe(render(content));
    }
  });
});

function depthOf(nodes: readonly HtmlTree[]): number {
  return nodes.reduce(
    (depth, node) => Math.max(depth, typeof node === 'string' ? 0 : 1 + depthOf(node.children)),
    0,
  );
}
