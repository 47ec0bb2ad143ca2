import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isPlainText, renderMarkdown, renderParsed } from '../../src/markdown/render.js';
import { findReferences, resolveReferences } from '../../src/markdown/resolve-references.js';
import { cpuMilliseconds } from '../support/cpu-time.js';
import { elementsOf, htmlTree, type HtmlTree } from '../support/html-tree.js';
import { corpusLookup, corpusPairs } from '../support/markdown-corpus.js';

/** Elements of formulas, none of which links to anything or loads anything. */
const mathElements = (
  'annotation math menclose mfrac mi mlabeledtr mn mo mover mpadded mphantom mroot mrow mspace msqrt mstyle msub ' +
  'msubsup msup mtable mtd mtext mtr munder munderover semantics'
).split(' ');
const mathAttributes = (
  'accent accentunder class columnalign columnlines columnspacing depth display displaystyle encoding fence height ' +
  'linebreak linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize notation rowlines ' +
  'rowspacing rspace scriptlevel separator side stretchy style voffset width xmlns'
).split(' ');

/** All elements and attributes that rendered text may contain. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'class', 'title', 'data-stream-id', 'data-id'],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  div: ['class', 'data-code-language', 'aria-hidden'],
  em: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  hr: [],
  img: ['src', 'class', 'alt', 'title'],
  li: [],
  ol: ['start'],
  p: [],
  pre: [],
  span: [
    'class',
    'title',
    'role',
    'aria-label',
    'aria-hidden',
    'data-user-id',
    'data-user-group-id',
    'style',
  ],
  strong: [],
  table: [],
  tbody: [],
  td: ['style'],
  th: ['style'],
  thead: [],
  time: ['datetime'],
  tr: [],
  ul: [],
  video: ['preload', 'src'],
  ...Object.fromEntries(mathElements.map((tag) => [tag, mathAttributes])),
  line: ['x1', 'x2', 'y1', 'y2', 'stroke-width'],
  path: ['d'],
  svg: ['xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio', 'style'],
};

const safeAddress = /^(?:\/(?!\/)|#|(?:https?|file|ftp|mailto|tel|geo|bitcoin|irc|xmpp|sms|ssh|urn|news):)/;

const safeStyle = /^text-align: (?:left|center|right);$|^(?:[a-z-]+:[-#\w. ]+;?)*$/;

function expectSafe(content: string): void {
  const { references } = resolveReferences(findReferences(content), corpusLookup('Emo Tran'));
  const { html } = renderMarkdown(content, references);
  expect(html).not.toMatch(/[\u0002\u0003]/);
  for (const { tag, attributes } of elementsOf(html)) {
    const names = allowed[tag] ?? [`no <${tag}>`];
    for (const [name, value] of Object.entries(attributes)) {
      expect(names).toContain(name);
      if (name === 'href' || name === 'src') expect(value).toMatch(safeAddress);
      if (name === 'style') expect(value).toMatch(safeStyle);
    }
    expect(allowed).toHaveProperty(tag);
  }
}

const pieces = [
  ...[
    '*',
    '**',
    '***',
    '_',
    '~~',
    '`',
    '``',
    '```',
    '~~~',
    '~~~quote\n',
    '```spoiler ',
    '>',
    '> ',
    '#',
    '# ',
    '- ',
    '1. ',
  ],
  ...[
    '\n',
    '\n\n',
    ' ',
    '  ',
    '    ',
    '\t',
    '\\',
    '|',
    '|-|-|\n',
    '[',
    ']',
    '](',
    ')',
    '(',
    '<',
    '"',
    "'",
    '&',
    '&#',
    ';',
  ],
  ...[
    '@**Iago**',
    '@*support*',
    '#**general**',
    '#**general>',
    '@**',
    ':smile:',
    ':)',
    '❤️',
    '#42',
    'TICKET-AB1',
    '$$',
    '$$\\sqrt{x}$$',
    '```math\n',
  ],
  ...[
    'javascript:alert(1)',
    'data:text/html,x',
    'https://example.com/a.png',
    'www.example.com',
    'a@example.com',
    '//x.y',
  ],
  ...[
    '<script>',
    '<img src=x onerror=alert(1)>',
    ' onclick=',
    'style=',
    '&lt;',
    '&#106;avascript:',
    '\u0002',
    '\u0003',
    '0',
  ],
  ...[
    '<time:',
    '2026-11-21',
    'https://youtu.be/aBcDeFgHiJk',
    'https://example.com/a.mp4',
    '\u0000',
    '\ud800',
    'é',
    'x',
  ],
];
const formulaPieces = [
  ...['x', '1', '<', '>', '&', '"', "'", '{', '}', '[', ']', '^', '_', '~', '$', '\\$', '%', '#', '\n', ' '],
  ...[
    '\\\\',
    '\\left(',
    '\\right)',
    '\\frac',
    '\\sqrt',
    '\\sqrt[3]{x}',
    '\\vec{x}',
    '\\sum_',
    '\\int^',
    '\\text{',
  ],
  ...[
    '\\color{red}',
    '\\color{#123}',
    '\\color{url(x)}',
    '\\rule{1em}{2em}',
    '\\kern1em',
    '\\raisebox{1em}{x}',
  ],
  ...['\\href{javascript:alert(1)}{x}', '\\url{javascript:alert(1)}', '\\includegraphics{https://x/y.png}'],
  ...['\\htmlClass{a}{x}', '\\htmlStyle{color:url(x)}{x}', '\\htmlData{a=b}{x}', '\\char`<', '\\verb|<b>|'],
  ...[
    '\\begin{matrix}',
    '\\end{matrix}',
    '\\begin{cases}',
    '\\end{cases}',
    '\\tag{1}',
    '\\cancel{x}',
    '\\boxed{x}',
    '<script>',
  ],
  ...[
    '\\colorbox{red}{x}',
    '\\fcolorbox{red}{blue}{x}',
    '\\overbrace{x}',
    '\\xrightarrow{x}',
    '\\mathbb{R}',
    '\\phase{x}',
  ],
  ...['\\def\\a{x}', '\\newcommand{\\a}{x}', '\\a'],
];
const hostileFormula = fc
  .array(fc.constantFrom(...formulaPieces), { maxLength: 8 })
  .map((parts) => parts.join(''));

const hostileText = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((parts) => parts.join(''));

describe('rendered HTML', () => {
  it('consists of known elements, attributes and addresses, for any input', () => {
    fc.assert(fc.property(hostileText, expectSafe), { numRuns: 1500 });
  });

  it('is as safe for any characters at all', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), expectSafe), { numRuns: 500 });
  });

  it('is as safe when a text of the corpus is cut and joined with another', () => {
    const text = fc.constantFrom(...corpusPairs.map(({ markdown }) => markdown.slice(0, 300)));
    const joined = fc.tuple(text, text, fc.nat(100)).map(([one, other, at]) => one.slice(0, at) + other);
    fc.assert(fc.property(joined, expectSafe), { numRuns: 1000 });
  });

  it('is as safe with formulas', () => {
    fc.assert(
      fc.property(hostileFormula, (tex) => {
        expectSafe(`$$${tex}$$`);
        expectSafe(`\`\`\`math\n${tex}\n\`\`\``);
      }),
      { numRuns: 500 },
    );
  });

  it('contains every letter of the input exactly once', () => {
    const letters = fc.array(
      fc.constantFrom('a', 'b', '*', '**', '~~', '`', '> ', '- ', '\n', '\n\n', ' ', '# '),
      {
        maxLength: 30,
      },
    );
    fc.assert(
      fc.property(letters, (parts) => {
        const content = parts.join('');
        // The text after a fence's opening marker is the name of a language.
        fc.pre(!/^(?:```|~~~)/m.test(content));
        const { html } = renderMarkdown(content, {});
        expect(onlyEmails(textOf(htmlTree(html)))).toBe(onlyEmails(content));
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same twice', () => {
    fc.assert(
      fc.property(hostileText, (content) => {
        expect(renderMarkdown(content, {})).toEqual(renderMarkdown(content, {}));
      }),
      { numRuns: 200 },
    );
  });
});

describe('an attempt to break out of the HTML', () => {
  it.each([
    '[x](https://example.com/" onclick="alert(1))',
    "[x](<https://example.com/' onclick=alert(1)>)",
    '[x" onerror="alert(1)](https://example.com/a.png)',
    '[x](/a" style="position:fixed)',
    'https://example.com/a.png?x="onerror=alert(1)',
    '[x](&#106;avascript:alert(1))',
    '[x](javascript&colon;alert(1))',
    '[x](https://example.com/&quot;onclick=alert(1))',
    '[x](/\\example.com)',
    '[x](/\t/example.com)',
    '```"onclick="alert(1)\nx\n```',
    '<time:"><img src=x onerror=alert(1)>>',
    '@**<img src=x onerror=alert(1)>**',
    '#**general>"><img src=x onerror=alert(1)**',
    '| <script>alert(1)</script> |\n|---|\n| `</code><script>` |',
    '1" onclick="alert(1). x',
    '\u00020\u0003`<b>`',
  ])('by %j fails', (content) => {
    expectSafe(content);
  });

  it('through names does not succeed either', () => {
    const name = '"><script>alert(1)</script>';
    const references = {
      users: [{ id: 1, name }],
      groups: [{ id: 1, name }],
      channels: [{ id: 1, name: name.replace('>', '') }],
      emoji: { x: { id: '1', url: '"><script>' } },
    };
    const { html } = renderMarkdown(
      `@**${name}|1** @*${name}* #**${name.replace('>', '')}** :x:`,
      references,
    );
    expect(elementsOf(html).map(({ tag }) => tag)).not.toContain('script');
  });
});

describe('the short way for plain texts', () => {
  const words = fc.array(
    fc.constantFrom(
      'word',
      'Été',
      'и',
      'a',
      ' ',
      ',',
      '.',
      '. ',
      '...',
      '!',
      '?',
      '(',
      ')',
      "'",
      '"',
      '/',
      '%',
      '=',
      '+',
      '-',
      '7',
      ';',
      'com',
      ':',
      '\n',
    ),
    { minLength: 1, maxLength: 20 },
  );

  it('gives what the long way gives', () => {
    fc.assert(
      fc.property(words.map((parts) => parts.join('')).filter(isPlainText), (content) => {
        expect(renderMarkdown(content, {})).toEqual(renderParsed(content, {}));
      }),
      { numRuns: 2000 },
    );
  });

  it('is taken by ordinary sentences', () => {
    expect(isPlainText("Thanks, that's 3.5 percent (or more). Great!")).toBe(true);
    expect(isPlainText('see example.com')).toBe(false);
    expect(isPlainText('1. a list')).toBe(false);
  });
});

describe('a hostile text of 10,000 characters', () => {
  const length = 10_000;
  const repeated = [
    ...[
      '*',
      '**',
      '***',
      '* ',
      '**a ',
      '_',
      '~',
      '~~',
      '~~a',
      '`',
      '``a',
      '`a``',
      '\\`',
      '[',
      '[a](',
      '](',
      '[a](<b "',
      '[a](b "',
    ],
    ...[
      '(',
      '>',
      '> ',
      '>a\n',
      '> > ',
      '> - ',
      '- > ',
      ':',
      ':a',
      ':a:',
      '@',
      '@**',
      '@**a',
      '@*a*',
      '#**a>',
      '<time:',
      '<',
      '&a',
    ],
    ...[
      '|',
      '|a\n',
      'a|b\n-|-\n',
      '- ',
      '- a\n',
      '- a\n\n',
      '1. ',
      '\n',
      '\t',
      ' ',
      '    a\n\n',
      '# a\n',
      '# #',
      '---\n x #',
      '***\n',
    ],
    ...[
      '```',
      '```\n',
      '```a\n',
      '~~~quote\n',
      '```spoiler a\n',
      'http://a/(',
      'http://a/,(',
      'a.',
      'a.a',
      'a@',
      'https://a.png ',
    ],
    ...['❤️', '👨‍👩‍👧', '1️⃣', '\\', 'a\n> b\n', '> a\n- b\n', '- - ', '$$', '[[', '!['],
  ];
  const growing = {
    'ever deeper lists': Array.from({ length: 99 }, (_, depth) => `${'  '.repeat(depth)}- a`),
    'ever deeper quotations': Array.from({ length: 99 }, (_, depth) => `${'> '.repeat(depth)}a`),
    'ever longer runs of backticks': Array.from({ length: 130 }, (_, count) => `${'`'.repeat(count)}a`),
  };

  it.each(repeated)('of %j renders in bounded time and depth', (piece) => {
    expectBounded(piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
    expectBounded(`x ${piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 2)}`);
  });

  it.each(Object.entries(growing))('with %s renders in bounded time and depth', (_, lines) => {
    expectBounded(lines.join('\n').slice(0, length));
  });

  function expectBounded(content: string): void {
    let html = '';
    const milliseconds = cpuMilliseconds(() => ({ html } = renderMarkdown(content, {})));
    // An algorithm of quadratic time would take seconds; a correct one takes a few milliseconds.
    expect(milliseconds).toBeLessThan(1500);
    expect(depthOf(htmlTree(html))).toBeLessThan(200);
  }
});

function depthOf(nodes: readonly HtmlTree[]): number {
  return nodes.reduce(
    (depth, node) => Math.max(depth, typeof node === 'string' ? 0 : 1 + depthOf(node.children)),
    0,
  );
}

function textOf(nodes: readonly HtmlTree[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : textOf(node.children))).join('');
}

function onlyEmails(text: string): string {
  return text.replace(/[^ab]/g, '');
}
