import { compile, type DomNode, type FormatCallback } from 'html-to-text';

/** Code points of a message that a notification shows. */
export const MAX_NOTIFICATION_LENGTH = 200;

/** UTF-16 units of HTML that are parsed: more would not be shown. */
const MAX_HTML_LENGTH = 20_000;

const emoji: FormatCallback = ({ attribs }, _walk, builder) => {
  const [, code] = /\bemoji-([0-9a-f-]+)/.exec(String((attribs as Attributes)['class'])) ?? [];
  const points = (code ?? '')
    .split('-')
    .filter(Boolean)
    .map((point) => Number.parseInt(point, 16));
  builder.addInline(String.fromCodePoint(...points), { noWordTransform: true });
};

const alternative: FormatCallback = ({ attribs }, _walk, builder) => {
  builder.addInline((attribs as Attributes)['alt'] ?? '', { noWordTransform: true });
};

const hidden: FormatCallback = (_element, _walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline('(…)', { noWordTransform: true });
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const formula: FormatCallback = (element, _walk, builder) => {
  builder.addInline(texOf(element), { noWordTransform: true });
};

type Attributes = Readonly<Record<string, string | undefined>>;

/** Compiled once, because that takes as long as a short text. */
const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 100 },
  formatters: { emoji, alternative, hidden, formula },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'img', format: 'alternative' },
    { selector: 'span.emoji', format: 'emoji' },
    { selector: 'span.katex', format: 'formula' },
    { selector: 'div.spoiler-content', format: 'hidden' },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
      selector,
      options: { uppercase: false, leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
    ...['p', 'blockquote', 'ul', 'ol', 'pre'].map((selector) => ({
      selector,
      options: { leadingLineBreaks: 1, trailingLineBreaks: 1 },
    })),
  ],
});

/**
 * The text of a message without markup, cut: emoji as characters, images by their alternative text, spoilers
 * hidden, formulas as TeX, quotations after `>`.
 *
 * @param maxCodePoints maximum number of code points
 */
export function plainTextOf(html: string, maxCodePoints: number): string {
  const text = convert(html.slice(0, MAX_HTML_LENGTH));
  const points = [...text];
  return points.length <= maxCodePoints ? text : `${points.slice(0, maxCodePoints).join('')}…`;
}

/** The TeX source of a formula is contained in its HTML. */
function texOf(element: DomNode): string {
  if (element.name === 'annotation') return (element.children ?? []).map(({ data = '' }) => data).join('');
  return (element.children ?? []).map(texOf).join('');
}
