import { addPreviews } from './add-previews.js';
import { escapeLiteral } from './html.js';
import type { UploadedMedia } from './media.js';
import { hasInlineImage } from './uploaded-media.js';
import { parseMessage, type ParsedMessage } from './parse-message.js';
import { isPlainText } from './plain-text.js';
import type { RenderReferences } from './references.js';
import { isOverBudget, RenderBudget } from './render-budget.js';
import { ResolvedReferences } from './resolved-references.js';
import { writeHtml } from './write-html.js';

/**
 * Raised whenever the same input would come out as other HTML, a change of the tables of emoji, languages and domains
 * included. Projections keep it beside the HTML and render again what an older one made.
 */
export const RENDERER_VERSION = 7;

/** A text as clients show it. */
export interface RenderedContent {
  /** Safe to insert into a page: all of it is made here, and none of the text's own markup passes. */
  readonly html: string;
  /** Whether it links anywhere, to a channel included (`has:link`). */
  readonly hasLink: boolean;
  /** Whether a picture is shown with it (`has:image`). */
  readonly hasImage: boolean;
  /** Whether it begins with `/me`, which clients show as what the sender does. */
  readonly isMeMessage: boolean;
}

/**
 * Renders a text as HTML. The result depends on the arguments and {@link RENDERER_VERSION} alone, so that a projection
 * may be rebuilt at any time. A text that is over budget, which only an older server can have accepted, is shown as plain text.
 *
 * @param content Markdown, as it was sent
 * @param references what the names in it resolved to when it was written
 * @param media what is known of the uploads that it may show
 */
export function renderMarkdown(
  content: string,
  references: RenderReferences,
  media: readonly UploadedMedia[] = [],
): RenderedContent {
  try {
    return renderWithinBudget(content, references, media);
  } catch (error) {
    if (!isOverBudget(error)) throw error;
    return withoutMarkup(escapeLiteral(content).replaceAll('\n', '<br>\n'));
  }
}

/** The same for a text that nobody has accepted yet. @throws ApplicationError `unrenderableText` when it is over budget */
export function renderWithinBudget(
  content: string,
  references: RenderReferences,
  media: readonly UploadedMedia[] = [],
): RenderedContent {
  return givePlainTextMeaning(references) || !isPlainText(content)
    ? renderParsed(content, references, media)
    : withoutMarkup(content);
}

/** The same without the short way for plain texts. */
export function renderParsed(
  content: string,
  references: RenderReferences,
  media: readonly UploadedMedia[] = [],
): RenderedContent {
  const { html, hasImage, stash } = write(content, references, media);
  return {
    html: stash.complete(html),
    // What people wrote is escaped, so that every tag is one of ours.
    hasLink: html.includes('<a '),
    hasImage,
    isMeMessage: content.startsWith('/me '),
  };
}

/**
 * Whether a text may be accepted. It costs less than rendering: a short text cannot be over budget, and formulas, which never
 * are, are not set.
 *
 * @throws ApplicationError `unrenderableText` when it is over budget
 */
export function refuseUnrenderable(content: string, references: RenderReferences): void {
  if (content.length > surelyRenderable || references.linkified !== undefined) write(content, references);
}

/** No text of this length comes to more HTML than may be written: an emoji or a mention stands for a few hundred characters. */
const surelyRenderable = 200;

interface Written extends Pick<RenderedContent, 'html' | 'hasImage'>, Pick<ParsedMessage, 'stash'> {}

/** All but the formulas. */
function write(content: string, references: RenderReferences, media: readonly UploadedMedia[] = []): Written {
  const budget = new RenderBudget();
  const resolved = new ResolvedReferences(references, media);
  const parsed = parseMessage(content, resolved, budget);
  const { root, stash } = parsed;
  const hasPreview = references.withoutPreviews !== true && addPreviews(parsed, resolved);
  const html = writeHtml(root, stash, budget);
  return { html, hasImage: hasPreview || hasInlineImage(html), stash };
}

function withoutMarkup(html: string): RenderedContent {
  return { html: `<p>${html}</p>`, hasLink: false, hasImage: false, isMeMessage: false };
}

function givePlainTextMeaning({ linkified, translateEmoticons }: RenderReferences): boolean {
  return linkified !== undefined || translateEmoticons === true;
}
