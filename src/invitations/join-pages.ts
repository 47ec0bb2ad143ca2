import { escapeAttribute, escapeText } from '../messages/markdown/html.js';

/** What a page says, before its frame. */
export interface JoinPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

/** Where a page posts to, and what it says above its fields. */
interface Form {
  readonly action: string;
  /** Text; null: nothing went wrong yet. */
  readonly problem: string | null;
}

/** Asks for a name and a password. */
export function accountForm(
  { action, problem }: Form,
  { organization, email, fullName }: { organization: string; email: string; fullName: string },
): JoinPage {
  return {
    title: `Join ${organization}`,
    body: form(action, [
      problemLine(problem),
      `<p>Your account will have the address <strong>${escapeText(email)}</strong>.</p>`,
      `<label>Your name <input name="full_name" required minlength="2" maxlength="100" autocomplete="name" value="${attribute(fullName)}"></label>`,
      '<label>A password <input name="password" type="password" required minlength="6" maxlength="100" autocomplete="new-password"></label>',
      '<button>Make my account</button>',
    ]),
  };
}

/** Asks for an address. */
export function addressForm({ action, problem }: Form, organization: string): JoinPage {
  return {
    title: `Join ${organization}`,
    body: form(action, [
      problemLine(problem),
      '<p>We will send you a link by which you make your account.</p>',
      '<label>Your e-mail address <input name="email" type="email" required maxlength="254" autocomplete="email"></label>',
      '<button>Send me the link</button>',
    ]),
  };
}

/** Says something, and asks nothing. */
export function plainPage(title: string, text: string): JoinPage {
  return { title, body: `<p>${escapeText(text)}</p>` };
}

/** A whole document. It loads nothing and runs nothing. */
export function documentOf({ title, body }: JoinPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; }
label, button { display: block; margin: 1rem 0; }
input { display: block; width: 100%; box-sizing: border-box; padding: .5rem; font: inherit; }
button { padding: .5rem 1rem; font: inherit; }
[role=alert] { color: #a40000; }
</style>
</head>
<body>
<h1>${escapeText(title)}</h1>
${body}
</body>
</html>
`;
}

function form(action: string, lines: readonly string[]): string {
  return `<form method="post" action="${attribute(action)}">\n${lines.filter(Boolean).join('\n')}\n</form>`;
}

function problemLine(problem: string | null): string {
  return problem === null ? '' : `<p role="alert">${escapeText(problem)}</p>`;
}

/** Nothing of a value is markup, character references included. */
function attribute(value: string): string {
  return escapeAttribute(value.replaceAll('&', '&amp;'));
}
