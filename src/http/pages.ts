import { createHash } from 'node:crypto';
import { StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { escapeHtml } from '../kernel/escape-html.js';

/** The content of a page without its frame. */
export interface Page {
  /** Text. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

/** Where a page's form posts to, and the text above its fields. */
export interface PageForm {
  readonly action: string;
  /** Text; null: no error yet. */
  readonly problem: string | null;
}

/** A page that shows a text and has no form. */
export function plainPage(title: string, text: string): Page {
  return { title, body: `<p>${escapeHtml(text)}</p>` };
}

/** @param lines HTML of what the form shows, its button included */
export function formBody({ action, problem }: PageForm, lines: readonly string[]): string {
  const alert = problem === null ? [] : [`<p role="alert">${escapeHtml(problem)}</p>`];
  return `<form method="post" action="${escapeHtml(action)}">\n${[...alert, ...lines].join('\n')}\n</form>`;
}

/** The same colours, type and spacing as the console. */
const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#344777, #9db2ee); --line: light-dark(#d5d9e2, #474b52); --field: light-dark(#fff, #2e2e2e); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 38rem; margin: 3rem auto; padding: 0 1rem; overflow-wrap: anywhere; background: light-dark(#fbfbfd, #242424); }
h1, h2 { font-family: 'Iowan Old Style', 'Palatino Linotype', Palatino, 'Book Antiqua', Georgia, serif; line-height: 1.25; }
h1 { font-size: 1.75rem; }
h2 { font-size: 1.25rem; margin: 2rem 0 .75rem; }
a { color: var(--ink); text-underline-offset: .2em; }
dt { font-weight: 600; }
dd { margin: 0 0 1rem; }
code { font-size: .92em; }
dd > code { display: block; margin-top: .25rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--field); }
label, button { display: block; margin: 1rem 0; }
input { display: block; width: 100%; box-sizing: border-box; margin-top: .25rem; padding: .5rem .75rem; font: inherit; border: 1px solid light-dark(#8a91a0, #7a808a); border-radius: .5rem; background: var(--field); }
button { padding: .5rem 1.25rem; font: inherit; font-weight: 600; border: 0; border-radius: .5rem; cursor: pointer; color: #fff; background: #405791; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
[role=alert] { color: light-dark(#a40000, #ff8a80); }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * The page loads and runs nothing, has only its own style, posts only to this server, and sends no referrer,
 * because its path may be a secret.
 */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Replies with a page. */
export function answerWithPage(reply: FastifyReply, page: Page): StreamableFile {
  setPageHeaders(reply);
  return new StreamableFile(Buffer.from(documentOf(page)), { type: PAGE_TYPE });
}

/** Sends a page with this status, for controllers that reply by themselves. */
export async function sendPage(reply: FastifyReply, status: number, page: Page): Promise<void> {
  setPageHeaders(reply);
  await reply.status(status).type(PAGE_TYPE).send(documentOf(page));
}

const PAGE_TYPE = 'text/html; charset=utf-8';

function setPageHeaders(reply: FastifyReply): void {
  reply.header('content-security-policy', POLICY).header('referrer-policy', 'no-referrer');
  reply.header('cache-control', 'no-store');
}

/** A complete HTML document. It loads and runs nothing. */
function documentOf({ title, body }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}
