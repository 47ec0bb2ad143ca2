import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../kernel/escape-html.js';
import type { BundledFile, BundledMessage } from './bundled-message.js';
import type { BundledCase } from '../tasks/case-task.js';

const STYLE = `
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
article { border-top: 1px solid; padding: .5rem 0; }
h2 { font-size: 1rem; margin: 0; }
pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; margin: .25rem 0 .5rem; padding-left: 1rem; border-left: 3px solid; }
.gone { opacity: .7; }
dt { font-weight: bold; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** A page that loads nothing and runs no script, wherever it is opened. */
function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'none'; base-uri 'none'">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Returns the HTML before and after the content of a page. */
export function pageParts(title: string): readonly [before: string, after: string] {
  const mark = '\u0000';
  const [before, after] = page(title, `<h1>${escapeHtml(title)}</h1>\n${mark}`).split(mark);
  return [before!, after!];
}

/** A message with all its versions. */
export function messageHtml(message: BundledMessage, files: ReadonlyMap<number, BundledFile>): string {
  const { message_id, sender_name, sender_id, place_name, moved_from, versions, deleted } = message;
  const who = `<bdi>${escapeHtml(sender_name ?? 'unknown')}</bdi> (${sender_id})`;
  const lines = [
    `<article id="m${message_id}"${deleted === null ? '' : ' class="gone"'}>`,
    `<h2>${who} in <bdi>${escapeHtml(place_name)}</bdi>, message ${message_id}</h2>`,
    ...(moved_from.length === 0
      ? []
      : [`<p>Moved here from <bdi>${escapeHtml(moved_from.join(', then '))}</bdi></p>`]),
    ...versions.map((version) => {
      const verb = version.number === 1 ? 'Sent' : 'Changed';
      const by = version.number === 1 ? '' : ` by <bdi>${escapeHtml(version.by_name ?? 'the server')}</bdi>`;
      const text =
        version.text === null
          ? '<p><em>Erased: its key was destroyed.</em></p>'
          : `<pre dir="auto">${escapeHtml(version.text)}</pre>`;
      return `<p>${verb} <time datetime="${version.written}">${version.written}</time>${by}</p>\n${text}`;
    }),
    ...fileLines(message, files),
    ...(deleted === null
      ? []
      : [
          `<p>Deleted <time datetime="${deleted.at}">${deleted.at}</time> by <bdi>${escapeHtml(deleted.by_name ?? 'the server')}</bdi></p>`,
        ]),
    '</article>\n',
  ];
  return lines.join('\n');
}

/** Files that a browser shows without running anything. All others are named, but not linked. */
const shown = /\.(?:png|jpe?g|gif|webp|avif|txt|pdf|mp[34]|ogg|wav|webm)$/i;

function fileLines(
  { upload_ids }: BundledMessage,
  files: ReadonlyMap<number, BundledFile>,
): readonly string[] {
  return upload_ids.map((id) => {
    const file = files.get(id);
    if (file === undefined) return `<p>File ${id} is not known.</p>`;
    const name = `<bdi>${escapeHtml(file.name)}</bdi>`;
    if (file.entry === null) return `<p>File ${id}, ${name}, is not there any more.</p>`;
    const path = escapeHtml(file.entry);
    const link = shown.test(file.entry)
      ? `<a href="../${encodeURI(file.entry).replaceAll('"', '%22')}">${path}</a>`
      : path;
    return `<p>File ${name}: ${link}</p>`;
  });
}

/** The first page: what the bundle is about, with links to the other pages. */
export function indexHtml(
  about: BundledCase,
  facts: readonly (readonly [string, string])[],
  pages: readonly string[],
): string {
  const list = facts.map(
    ([term, value]) => `<dt>${escapeHtml(term)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd>`,
  );
  const links = pages.map((name, index) => `<li><a href="${name}">Messages, page ${index + 1}</a></li>`);
  const body = [
    `<h1><bdi>${escapeHtml(about.name)}</bdi></h1>`,
    `<pre dir="auto">${escapeHtml(about.description)}</pre>`,
    `<dl>${list.join('\n')}</dl>`,
    `<ol>${links.join('\n')}</ol>`,
    '<p>README.txt says what else is here, and how to check it.</p>',
  ];
  return page(about.name, body.join('\n'));
}
