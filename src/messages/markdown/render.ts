import { addPreviews } from './add-previews.js';
import { parseMessage } from './parse-message.js';
import { isPlainText } from './plain-text.js';
import type { RenderReferences } from './references.js';
import { ResolvedReferences } from './resolved-references.js';
import { writeHtml } from './write-html.js';

/**
 * Raised whenever the same input would come out as other HTML, a change of the tables of emoji, languages and domains
 * included. Projections keep it beside the HTML and render again what an older one made.
 */
export const RENDERER_VERSION = 4;

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
 * Renders a text as HTML. The result depends on the two arguments and {@link RENDERER_VERSION} alone, so that a projection
 * may be rebuilt at any time.
 *
 * @param content Markdown, as it was sent
 * @param references what the names in it resolved to when it was written
 */
export function renderMarkdown(content: string, references: RenderReferences): RenderedContent {
  return givePlainTextMeaning(references) || !isPlainText(content)
    ? renderParsed(content, references)
    : {
        html: `<p>${content}</p>`,
        hasLink: false,
        hasImage: false,
        isMeMessage: false,
      };
}

/** The same without the short way for plain texts. */
export function renderParsed(content: string, references: RenderReferences): RenderedContent {
  const { root, links, stash } = parseMessage(content, new ResolvedReferences(references));
  const hasImage = references.withoutPreviews !== true && addPreviews(root, links, stash);
  const html = writeHtml(root, stash);
  return {
    html,
    // What people wrote is escaped, so that every tag is one of ours.
    hasLink: html.includes('<a '),
    hasImage,
    isMeMessage: content.startsWith('/me '),
  };
}

function givePlainTextMeaning({ linkified, translateEmoticons }: RenderReferences): boolean {
  return linkified !== undefined || translateEmoticons === true;
}
