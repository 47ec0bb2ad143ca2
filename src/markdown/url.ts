/**
 * Allowed schemes: those of the web, and those for which the HTML standard lets a page register a handler, since none of them runs code
 * from the address.
 */
const safeSchemes: ReadonlySet<string> = new Set(
  (
    'http https file bitcoin ftp ftps geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sftp sip sms smsto ' +
    'ssh tel urn webcal wtai xmpp'
  ).split(' '),
);

/**
 * Whether every expansion of a URL template is a safe address, whatever the values of its variables: its scheme is literal and safe, or its
 * literal beginning rules out a scheme.
 */
export function isSafeTemplate(template: string): boolean {
  if (/[\u0000-\u001f\u007f]/.test(template)) return false;
  const [literal = ''] = template.split('{');
  const name = scheme.exec(literal)?.[1]?.toLowerCase();
  return name === undefined ? /[/?#]/.test(literal) : safeSchemes.has(name);
}

const scheme = /^([a-z][a-z\d+.-]*):/i;
const emailAddress = /^[^/?#]*@/;
const emptyQuery = /^([^?#]+)\?(?=#|$)/;
const emptyFragment = /^([^#]+)#$/;

/**
 * The address in the form that a link may have: complete, and with a scheme from a fixed list. Without a scheme it is taken as a web or
 * e-mail address; addresses on this server (`/…`, `#…`) stay relative.
 *
 * @returns undefined when it must not be a link
 */
export function safeUrl(typed: string): string | undefined {
  // Browsers ignore these characters, so they could hide a scheme.
  const url = typed
    .replace(/[\u0000-\u001f\u007f]/g, '')
    .trim()
    .replaceAll(' ', '%20')
    .replace(emptyQuery, '$1')
    .replace(emptyFragment, '$1');
  if (url === '' || url === '#') return undefined;
  if (/^[/\\]{3}/.test(url)) return url.replace(/^[/\\]+/, '/');
  if (/^[/\\]{2}/.test(url)) return `http:${url}`;
  if (url.startsWith('/') || url.startsWith('#')) return url;
  const name = scheme.exec(url)?.[1]?.toLowerCase();
  if (name !== undefined) return safeSchemes.has(name) ? name + url.slice(name.length) : undefined;
  return emailAddress.test(url) ? `mailto:${url}` : `http://${url}`;
}
