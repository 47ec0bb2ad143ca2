import { escapeAttribute } from './html.js';
import { imageAttributes, isAudioType, isVideoType, type UploadedMedia } from './media.js';

/** The class by which clients recognise an image that has not been examined yet. */
const PLACEHOLDER_CLASS = 'image-loading-placeholder';

/** `![text](address)` of an upload: an image or a player in the line; undefined: the upload is neither. */
export function inlineMedia(url: string, text: string, media: UploadedMedia): string | undefined {
  const label = text.includes('\u0002') ? '' : text;
  if (isAudioType(media.contentType)) {
    const title = label.trim() === '' ? {} : { title: label };
    return `<audio controls${attributes({ preload: 'metadata', src: url, ...title })}></audio>`;
  }
  const image = imageAttributes(url, media);
  if (image === null) return undefined;
  const { src = '', ...described } = image;
  const classes = media.isExamined ? 'inline-image' : `inline-image ${PLACEHOLDER_CLASS}`;
  return `<img${attributes({ alt: label, class: classes, ...described, 'data-original-src': url, src })}>`;
}

/** Whether rendered HTML shows an upload in a line. */
export function hasInlineImage(html: string): boolean {
  return /<img alt="[^"]*" class="inline-image/.test(html);
}

/** The preview of a link to an upload; undefined: it has none. */
export function uploadPreview(
  link: { readonly url: string; readonly title: string },
  media: UploadedMedia,
): { readonly html: string; readonly image: boolean } | undefined {
  const opening = `<a href="${escapeAttribute(link.url)}"${link.title}>`;
  if (isVideoType(media.contentType)) {
    const player = `<video${attributes({ preload: 'metadata', src: link.url })}></video>`;
    return {
      html: `<div class="message_inline_image message_inline_video">${opening}${player}</a></div>`,
      image: false,
    };
  }
  const image = imageAttributes(link.url, media);
  if (image === null) return undefined;
  const shown = media.isExamined ? image : { class: PLACEHOLDER_CLASS, ...image };
  return {
    html: `<div class="message_inline_image">${opening}<img${attributes(shown)}></a></div>`,
    image: true,
  };
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`)
    .join('');
}
