import { createHash } from 'node:crypto';
import type { Email } from 'postal-mime';
import { prettyJson } from './pretty-json.js';
import type { Answer } from './session-client.js';
import type { RequestStep } from './steps.js';

/** Headers of the connection, and headers that differ in each reply. */
const IGNORED = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id']);

/** Headers of most replies; only differences are recorded. */
const USUAL: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate, private',
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/** Texts of more characters than this are recorded as a hash. */
const MAX_TEXT = 6000;

/** Status, unusual headers and body of a reply. */
export function describedReply({ response, body }: Answer, isBrief: boolean): string {
  const headers = Object.fromEntries(response.headers);
  // Placeholders in the body change its length.
  delete headers['content-length'];
  const missing = Object.keys(USUAL).filter((name) => headers[name] === undefined);
  const shown = Object.entries(headers).filter(
    ([name, value]) => !IGNORED.has(name) && value !== USUAL[name],
  );
  return [
    `--- ${response.status}`,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    ...(missing.length > 0 ? [`(without ${missing.join(', ')})`] : []),
    isBrief ? sizeAndHash(body) : describedBody(response.headers.get('content-type') ?? '', body),
  ].join('\n');
}

function describedBody(type: string, body: Buffer): string {
  if (body.length === 0) return '(empty)';
  if (type.startsWith('application/json')) {
    return prettyJson(JSON.parse(body.toString(), (_name, value: unknown) => shortened(value)));
  }
  const isText = type.startsWith('text/') || type.includes('javascript');
  if (isText && body.length <= MAX_TEXT) return body.toString().trimEnd();
  return sizeAndHash(body);
}

/** Texts that only test a limit are not recorded in full. */
function shortened(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= MAX_TEXT) return value;
  return `${value.slice(0, 80)}… ${sizeAndHash(Buffer.from(value))}`;
}

function sizeAndHash(body: Buffer): string {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return `(${body.length} bytes, SHA-256 begins with ${hash})`;
}

/** The request of a step. */
export function describedRequest({ actor, verb, path, parameters, options, seconds }: RequestStep): string {
  const { headers = {}, file, body } = options;
  return [
    `=== ${actor} ${verb} ${path}${seconds === 0 ? '' : ` after ${seconds} s`}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...Object.entries(parameters).map(([name, value]) => `${name} = ${shortenedText(prettyJson(value))}`),
    ...(file === undefined ? [] : [`file ${file.name} (${file.type}, ${file.bytes.length} bytes)`]),
    ...(body === undefined ? [] : [`body ${body.type}: ${shortenedText(body.text)}`]),
  ].join('\n');
}

/** Long texts only test limits. */
function shortenedText(text: string): string {
  return text.length <= 1000 ? text : `${text.slice(0, 100)}… (${text.length} characters)`;
}

/** The content of an e-mail, as text and as HTML. */
export function describedLetter(to: string, { from, subject, text = '', html = '' }: Email): string {
  return [
    `=== letter to ${to}`,
    `from: ${from?.name ?? ''} <${from?.address ?? ''}>`,
    `subject: ${subject}`,
    text.trim(),
    '--- as HTML',
    html.trim(),
  ].join('\n');
}
