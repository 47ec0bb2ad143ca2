import { escapeAttribute } from './html.js';
import type { UploadedMedia } from './media.js';
import { uploadPreview } from './uploaded-media.js';
import type { TextLink } from './inline/inline-parser.js';

/** A preview of a link's target. */
interface Preview {
  readonly html: string;
  readonly image: boolean;
  /** Whether it may replace a paragraph that consists of the address alone. */
  readonly replaces: boolean;
}

/** Completes relative addresses for the URL parser; only their path is used. */
const OWN_SERVER = 'http://localhost';

const mayHavePreview = /youtu|\.(?:bmp|gif|jpe|jpg|png|webp|mp4|webm)/i;
const imagePath = /\.(?:bmp|gif|jpe|jpeg|jpg|png|webp)$/i;
const videoAddress = /\.(?:mp4|webm)$/i;
const youtubeId = /^[\w-]+$/;
const wikipedia = /(?:^|\.)wikipedia\.org$/;
const github = /(?:^|\.)github\.com$/;
const codeFile = /^(\/[^/]+\/[^/]+)\/blob(\/.*)$/;

/** The preview of a link, derived from its address and from what is known of uploads. Nothing is fetched. */
export function previewOf(link: TextLink, media?: UploadedMedia): Preview | undefined {
  if (media !== undefined) {
    const shown = uploadPreview({ url: link.url, title: title(link) }, media);
    return shown && { ...shown, replaces: true };
  }
  if (!mayHavePreview.test(link.url) || !URL.canParse(link.url, OWN_SERVER)) return undefined;
  const url = new URL(link.url, OWN_SERVER);
  if (!/^https?:$/.test(url.protocol)) return undefined;
  const video = youtubeVideo(url);
  if (video !== undefined) return { html: youtubeHtml(link.url, video), image: true, replaces: false };
  if (videoAddress.test(link.url)) return { html: videoHtml(link), image: false, replaces: true };
  if (imagePath.test(url.pathname)) return { html: imageHtml(link, url), image: true, replaces: true };
  return undefined;
}

/** Pages about a file have the file itself at another address. For encyclopedias, the preview links to that address. */
function fileUrls(typed: string, url: URL): { readonly href: string; readonly source: string } {
  if (wikipedia.test(url.hostname) && url.pathname.startsWith('/wiki/File:')) {
    const file = typed.replace('/wiki/File:', '/wiki/Special:FilePath/File:');
    return { href: file, source: file };
  }
  const code = github.test(url.hostname) ? codeFile.exec(url.pathname) : null;
  const source = code === null ? typed : `https://raw.githubusercontent.com${code[1] ?? ''}${code[2] ?? ''}`;
  return { href: typed, source };
}

function youtubeVideo(url: URL): string | undefined {
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  if (host === 'youtu.be') return valid(url.pathname.slice(1));
  if (host !== 'youtube.com' && host !== 'youtube-nocookie.com') return undefined;
  const [, first = '', second = ''] = url.pathname.split('/');
  if (first === 'watch') return valid(url.searchParams.get('v') ?? '');
  return ['embed', 'shorts', 'v'].includes(first) ? valid(second) : undefined;
}

function valid(id: string): string | undefined {
  return youtubeId.test(id) ? id : undefined;
}

function imageHtml(link: TextLink, url: URL): string {
  const { href, source } = fileUrls(link.url, url);
  const image = `<img src="${escapeAttribute(source)}">`;
  return `<div class="message_inline_image"><a href="${escapeAttribute(href)}"${title(link)}>${image}</a></div>`;
}

function videoHtml(link: TextLink): string {
  const url = escapeAttribute(link.url);
  const player = `<video preload="metadata" src="${url}"></video>`;
  return `<div class="message_inline_image message_inline_video"><a href="${url}"${title(link)}>${player}</a></div>`;
}

function youtubeHtml(typed: string, id: string): string {
  const image = `<img src="https://i.ytimg.com/vi/${id}/mqdefault.jpg">`;
  return `<div class="youtube-video message_inline_image"><a data-id="${id}" href="${escapeAttribute(typed)}">${image}</a></div>`;
}

function title(link: TextLink): string {
  const named = link.text !== link.url && !link.text.includes('\u0002');
  return named ? ` title="${escapeAttribute(link.text)}"` : '';
}
