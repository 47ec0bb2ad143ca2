import { formBody, type Page } from '../../http/pages.js';
import { escapeHtml } from '../../kernel/escape-html.js';
import type { ExternalMethod } from '../../http/authentication/external-methods.js';

/** Where the form of the front page posts to. */
export const CREDENTIALS_PATH = 'credentials';

/** The content of the front page. */
interface FrontPage {
  /** Name of the organization. */
  readonly organization: string;
  /** HTML of the organization's description; empty: none. */
  readonly description: string;
  /** Address of the server, without a trailing slash. */
  readonly address: string;
  /** External sign-in methods. */
  readonly external: readonly Pick<ExternalMethod, 'display_name' | 'login_url'>[];
}

/** The submitted form, and why the log-in failed. */
export interface FailedLogIn {
  readonly username: string;
  /** Text. */
  readonly problem: string;
}

/** Explains to visitors what this server is and how to connect a client. */
export function frontPage(
  { organization, description, address, external }: FrontPage,
  failed: FailedLogIn | null = null,
): Page {
  const site = escapeHtml(address);
  return {
    title: organization,
    body: `${description}
<p>This is a server of Palimpsest: team messaging in which every change stays readable.</p>
<h2>Connect a client</h2>
<dl>
<dt>An app for the phone or the desk</dt>
<dd>Enter the address of this server: <code>${site}</code></dd>
<dt>The terminal</dt>
<dd><code>zulip-term --config-file zuliprc</code></dd>
<dt>Python, and whatever speaks this API</dt>
<dd><code>zulip-send --config-file zuliprc --stream general --subject hello --message "Hello"</code></dd>
<dt>curl</dt>
<dd><code>curl -u EMAIL:KEY ${site}/api/v1/users/me</code></dd>
</dl>
<h2>Your credentials file</h2>
<p>Programs read address and key from a file, <code>zuliprc</code>. Each download makes a key of its own; keep it like a password.</p>
${external.map(signInLink).join('')}${credentialsForm(failed)}
<h2>More</h2>
<ul>
<li><a href="/api/docs">Every operation of the API</a></li>
<li><a href="/console/">The console</a>, for owners and auditors</li>
<li><a href="/console/your-data">A copy of everything that is stored about you</a>, after signing in</li>
<li><a href="/console/second-factor">A second factor for your account</a>, after signing in</li>
</ul>`,
  };
}

function signInLink({ display_name: name, login_url: url }: FrontPage['external'][number]): string {
  return `<p><a href="${escapeHtml(url)}">Sign in with ${escapeHtml(name)}</a>, or by your password:</p>\n`;
}

function credentialsForm(failed: FailedLogIn | null): string {
  const username = escapeHtml(failed?.username ?? '');
  return formBody({ action: `/${CREDENTIALS_PATH}`, problem: failed?.problem ?? null }, [
    `<label>Your e-mail address <input name="username" type="email" required maxlength="254" autocomplete="username" value="${username}"></label>`,
    '<label>Your password <input name="password" type="password" required maxlength="100" autocomplete="current-password"></label>',
    '<label>A code of your second factor, if you have one <input name="second_factor" maxlength="20" autocomplete="one-time-code"></label>',
    '<button>Download zuliprc</button>',
  ]);
}
