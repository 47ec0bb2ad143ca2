/** Does what a browser does without scripts: it keeps cookies and shows redirections. */
export class PlainBrowser {
  private readonly cookies = new Map<string, string>();

  /** Requests a page without following redirections. */
  async request(url: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return response;
  }

  /** Follows redirections up to a page, or to an address that a browser cannot open itself. */
  async open(url: string): Promise<{ readonly url: string; readonly response: Response }> {
    const response = await this.request(url);
    const location = response.headers.get('location');
    if (location === null) return { url, response };
    const next = new URL(location, url);
    return next.protocol === 'http:' ? this.open(next.href) : { url: next.href, response };
  }

  /** All cookies by name. */
  get kept(): ReadonlyMap<string, string> {
    return this.cookies;
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0\b/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
