import { describe, expect, it } from '@jest/globals';
import { renderMarkdown } from '../../src/markdown/render.js';
import { findReferences, resolveReferences } from '../../src/markdown/resolve-references.js';
import { corpusLookup } from '../support/markdown-corpus.js';

function render(content: string): string {
  const { references } = resolveReferences(findReferences(content), corpusLookup('Emo Tran'));
  return renderMarkdown(content, references).html;
}

function image(url: string, title = ''): string {
  return `<div class="message_inline_image"><a href="${url}"${title}><img src="${url}"></a></div>`;
}

/** Addresses of the displayed pictures, in order. */
function pictures(html: string): readonly string[] {
  return [...html.matchAll(/<img src="([^"]*)"/g)].map(([, url = '']) => url);
}

describe('the address of an image alone', () => {
  const url = 'http://x.example/a.png';
  const link = `<a href="${url}">${url}</a>`;

  it.each([
    ['a cell of a table', `| a |\n| --- |\n| ${url} |`, `<td>${link}</td>`],
    ['the head of a table', `| ${url} |\n| --- |\n| a |`, `<th>${link}</th>`],
    ['a heading', `# ${url}`, `<h1>${link}</h1>`],
  ])('stays in %s, with its preview at the end', (_, content, expected) => {
    const html = render(content);
    expect(html).toContain(expected);
    expect(html.endsWith(image(url))).toBe(true);
  });

  it.each([url, `- ${url}`])('gives way to its preview in %j', (content) => {
    expect(render(content)).not.toContain(link);
  });

  it('leaves the item as it began: with its text, or with a block', () => {
    expect(render(`- ${url}\n  - b`)).toContain('<li><ul>');
    expect(render(`- ${url}\n\n- b`)).toContain('<li>\n<div');
    expect(render(`- ${url}`)).toContain('<li><div');
    expect(render(`- ${url}\n> b`)).toContain('<li><blockquote>');
  });
});

describe('previews', () => {
  const [a, b, c] = ['http://a.example/a.png', 'http://b.example/b.png', 'http://c.example/c.png'];

  it('are in the order of the text, for every form of link', () => {
    expect(pictures(render(`${b} [z](${a}) ${c}`))).toEqual([b, a, c]);
  });

  it('are named after the first link', () => {
    expect(render(`${b} [z](${b})`)).toContain(image(b));
    expect(render(`[z](${b}) ${b}`)).toContain(image(b, ' title="z"'));
  });

  it('of links within other marks come last, behind the whole text', () => {
    const html = render(`**[z](${a})** ${b}\n\nend`);
    expect(pictures(html)).toEqual([b, a]);
    expect(html.endsWith(`<p>end</p>\n${image(a, ' title="z"')}`)).toBe(true);
  });

  it('of a paragraph stand right behind it', () => {
    expect(pictures(render(`# ${a}\nz ${b} ${c}`))).toEqual([b, c, a]);
  });

  it('show the file that a page of code is about', () => {
    const page = 'https://github.com/o/r/blob/main/a%20b/c.png';
    const [, href] = /<a href="([^"]*)"><img/.exec(render(`see ${page} there`)) ?? [];
    expect(href).toBe(page);
    expect(pictures(render(`see ${page} there`))).toEqual([
      'https://raw.githubusercontent.com/o/r/main/a%20b/c.png',
    ]);
  });

  it.each([
    ['https://youtu.be/ab-_1', 1],
    ['https://www.youtube.com/watch?v=abc', 1],
    ['https://youtu.be/abcdefghijk/x', 0],
    ['https://www.youtube.com/live/abcdefghijk', 0],
  ])('of %s: %d', (url, count) => {
    expect(pictures(render(url))).toHaveLength(count);
  });

  it('of videos are of addresses that end like one', () => {
    expect(render('http://x.example/a.webm')).toContain('<video');
    expect(render('http://x.example/a.webm?x')).not.toContain('<video');
  });
});

describe('a spoiler', () => {
  const start = '<div class="spoiler-content" aria-hidden="true">\n';

  it('may end with code', () => {
    const html = render('```spoiler h\n```js\nx\n```\n```');
    expect(html).toContain(`${start}<div class="codehilite" data-code-language="JavaScript">`);
    expect(html).toMatch(/<\/code><\/pre><\/div>\n<\/div><\/div>$/);
  });

  it('may end with a quotation', () => {
    const html = render('```spoiler h\n```quote\nx\n```\n```');
    expect(html).toContain(`${start}<blockquote>\n<p>x</p>\n</blockquote>\n</div></div>`);
  });
});

describe('a quoted mention of nobody', () => {
  it.each([
    ['> @**Nobody** @*none*', '@_<strong>Nobody</strong> @_<em>none</em>'],
    ['> @_**Nobody**', '@_<strong>Nobody</strong>'],
    ['@**Nobody** @*none*', '@<strong>Nobody</strong> @<em>none</em>'],
    ['>@**Nobody**', '@_<strong>Nobody</strong>'],
    ['> `x @**Nobody** @*none*`', '<code>x @_**Nobody** @_*none*</code>'],
  ])('%s', (content, expected) => {
    expect(render(content)).toContain(`<p>${expected}</p>`);
  });
});

describe('the blanks at the beginning of a line', () => {
  it.each(['**b**', '*b*', '~~b~~', '`b`', '@**all**', 'http://b.example', ':smile:', '😀', '#42'])(
    'go before %s',
    (markup) => {
      expect(render(`- a\n  ${markup}`)).toContain('<li>a<br>\n<');
    },
  );

  it('stay before a text', () => {
    expect(render('a\n  b **c**')).toBe('<p>a<br>\n  b <strong>c</strong></p>');
  });
});

describe('the line end of a quoted text', () => {
  it('is a line break where nothing follows', () => {
    expect(render('> a\n>')).toBe('<blockquote>\n<p>a<br>\n</p>\n</blockquote>');
  });

  it('goes where the text holds a bare address', () => {
    expect(render('> x.com b\n>')).toBe(
      '<blockquote>\n<p><a href="http://x.com">x.com</a> b</p>\n</blockquote>',
    );
  });
});

describe('a block in an item', () => {
  it('is parted from the line behind it', () => {
    expect(render('- # a\nb')).toBe('<ul>\n<li>\n<h1>a</h1>\n<br>\nb</li>\n</ul>');
  });
});

describe('the cells of a table', () => {
  it.each([
    ['``a`b`` | c', '<code>a`b</code>', 'c'],
    ['``a|b`` | `c|d`', '<code>a|b</code>', '<code>c|d</code>'],
    ['`a | b', '`a', 'b'],
    ['a\\|b | c', 'a\\|b', 'c'],
  ])('of %s are parted outside of code', (row, first, second) => {
    expect(render(`| x | y |\n|---|---|\n| ${row} |`)).toContain(`<td>${first}</td>\n<td>${second}</td>`);
  });
});

describe('a table without rows', () => {
  it('has an empty one that is not aligned', () => {
    const html = render('| a | b |\n|:--|--:|');
    expect(html).toContain('<th style="text-align: left;">a</th>');
    expect(html).toContain('<tbody>\n<tr>\n<td></td>\n<td></td>\n</tr>\n</tbody>');
  });
});

describe('a moment', () => {
  it.each([
    ['0050-01-01', '0050-01-01T00:00:00Z'],
    ['2026-11-21 10:00', '2026-11-21T10:00:00Z'],
    ['2026-11-21T10:00:00-05', '2026-11-21T15:00:00Z'],
    ['2026-11-21T10:00:00 +23:59', '2026-11-20T10:01:00Z'],
    ['2026-11-21T10:00:00.123456789Z', '2026-11-21T10:00:00.123456Z'],
    ['2026-11-21T10:00:00.0000001Z', '2026-11-21T10:00:00Z'],
    ['2026-11-21t10:00:00z', '2026-11-21T10:00:00Z'],
    ['20261121T100000', '2026-11-21T10:00:00Z'],
    ['20261121', '2026-11-21T00:00:00Z'],
    ['2026-11-21T10Z', '2026-11-21T10:00:00Z'],
    ['20261121T10+0200', '2026-11-21T08:00:00Z'],
  ])('may be written %s', (typed, moment) => {
    expect(render(`<time:${typed}>`)).toBe(`<p><time datetime="${moment}">${typed}</time></p>`);
  });

  it.each([
    '0000-01-01',
    '0001-01-01T00:00+23:00',
    '2026-11-21T10:00:00+25:00',
    '2026-02-30',
    '2026-13-01',
    '2026-1-2',
    '20261131',
    '1763719200',
    'Nov 21 2026',
    '11/21/2026',
    '10:00',
    'soon',
  ])('that is written %s stays text', (typed) => {
    expect(render(`<time:${typed}>`)).toBe(`<p>&lt;time:${typed}&gt;</p>`);
  });
});

describe('formulas in a quotation', () => {
  it.each([
    ['last', '```quote\nso:\n```math\nx\n```\n```', '</blockquote>'],
    ['alone', '```quote\n```math\nx\n\ny\n```\n```', '</blockquote>'],
    ['before a text', '```quote\n```math\nx\n```\nthus\n```', '<p>thus</p>\n</blockquote>'],
  ])('stand in one paragraph of their own when they come %s', (_where, text, end) => {
    const html = render(text);
    expect(html).toContain('<p><span class="katex-display">');
    expect(html).not.toMatch(/<p>\s*<p>/);
    expect(html).toContain(`</span></p>\n${end}`);
  });
});

describe('an address that ends an emphasised run', () => {
  it.each([
    ['*see https://e.com/a*', '<em>see <a href="https://e.com/a">https://e.com/a</a></em>'],
    ['**see e.com**.', '<strong>see <a href="http://e.com">e.com</a></strong>.'],
    ['***see e.com***', '<strong><em>see <a href="http://e.com">e.com</a></em></strong>'],
    ['~~see (https://e.com)~~', '<del>see (<a href="https://e.com">https://e.com</a>)</del>'],
    ['*a* e.com/x*', '<em>a</em> <a href="http://e.com/x*">e.com/x*</a>'],
  ])('%s is a link', (text, html) => {
    expect(render(text)).toBe(`<p>${html}</p>`);
  });
});

describe('a link to the topic without a name', () => {
  const references = { channels: [{ id: 7, name: 'dev' }] };

  it.each([
    [
      '#**dev>**',
      '<a class="stream-topic" data-stream-id="7" href="/#narrow/channel/7-dev/topic/">#dev &gt; <em>general chat</em></a>',
    ],
    [
      '#**dev>@88**',
      '<a class="message-link" href="/#narrow/channel/7-dev/topic//near/88">#dev &gt; <em>general chat</em> @ 💬</a>',
    ],
  ])('is written %s', (text, html) => {
    expect(renderMarkdown(text, references).html).toBe(`<p>${html}</p>`);
  });
});

describe('a link to a topic that has messages', () => {
  const references = {
    channels: [{ id: 7, name: 'dev' }],
    topics: [
      { channelId: 7, topic: 'lunch', messageId: 88 },
      { channelId: 7, topic: '', messageId: 90 },
    ],
  };

  it.each([
    ['#**dev>lunch**', '/#narrow/channel/7-dev/topic/lunch/with/88'],
    ['#**dev>**', '/#narrow/channel/7-dev/topic//with/90'],
    ['#**dev>supper**', '/#narrow/channel/7-dev/topic/supper'],
    ['#**dev>lunch@12**', '/#narrow/channel/7-dev/topic/lunch/near/12'],
  ])('%s leads to %s', (text, address) => {
    expect(renderMarkdown(text, references).html).toContain(` href="${address}">`);
  });
});

describe('an emoji typed as characters', () => {
  it.each([
    ['🕵\u200d♀', 'emoji-1f575-200d-2640'],
    ['👁\u200d🗨', 'emoji-1f441-200d-1f5e8'],
    ['❤\ufe0f', 'emoji-2764'],
  ])('%s is shown as one', (typed, shown) => {
    expect(render(typed)).toContain(`class="emoji ${shown}"`);
  });

  it.each(['🕵', '❤', '1'])('%s is text by default', (typed) => {
    expect(render(typed)).toBe(`<p>${typed}</p>`);
  });
});

describe('the language of code', () => {
  it.each([
    ['tcsh', 'Tcsh'],
    ['as3', 'ActionScript 3'],
    ['turtle', 'Turtle'],
    ['PO', 'Gettext Catalog'],
    ['html+jinja', 'HTML+Django/Jinja'],
    ['klingon', 'klingon'],
  ])('%s is called %s', (typed, name) => {
    expect(render(`\`\`\`${typed}\nx\n\`\`\``)).toContain(`data-code-language="${name}"`);
  });
});
