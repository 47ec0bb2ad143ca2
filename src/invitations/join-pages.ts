import { escapeHtml, formBody, type Page, type PageForm } from '../http/pages.js';

/** Asks for a name and a password. */
export function accountForm(
  form: PageForm,
  { organization, email, fullName }: { organization: string; email: string; fullName: string },
): Page {
  return {
    title: `Join ${organization}`,
    body: formBody(form, [
      `<p>Your account will have the address <strong>${escapeHtml(email)}</strong>.</p>`,
      `<label>Your name <input name="full_name" required minlength="2" maxlength="100" autocomplete="name" value="${escapeHtml(fullName)}"></label>`,
      '<label>A password <input name="password" type="password" required minlength="6" maxlength="100" autocomplete="new-password"></label>',
      '<button>Make my account</button>',
    ]),
  };
}

/** Asks for an address. */
export function addressForm(form: PageForm, organization: string): Page {
  return {
    title: `Join ${organization}`,
    body: formBody(form, [
      '<p>We will send you a link by which you make your account.</p>',
      '<label>Your e-mail address <input name="email" type="email" required maxlength="254" autocomplete="email"></label>',
      '<button>Send me the link</button>',
    ]),
  };
}
