import { escapeHtml, formBody, type Page, type PageForm } from '../../http/pages.js';

/** The person who is about to join, and the organization. */
export interface JoiningPerson {
  readonly organization: string;
  /** Name of the inviter; null: nobody, or a link for many people. */
  readonly inviter: string | null;
  readonly email: string;
  /** As they typed it; empty at first. */
  readonly fullName: string;
}

/** A form for name and password. */
export function accountForm(form: PageForm, { organization, inviter, email, fullName }: JoiningPerson): Page {
  return {
    title: `Join ${organization}`,
    body: formBody(form, [
      ...(inviter === null ? [] : [`<p>${escapeHtml(inviter)} has invited you.</p>`]),
      `<p>Your account will have the address <strong>${escapeHtml(email)}</strong>.</p>`,
      `<label>Your name <input name="full_name" required minlength="2" maxlength="100" autocomplete="name" value="${escapeHtml(fullName)}"></label>`,
      '<p>Take a password of at least 6 characters that is hard to guess: several words that do not belong together are best.</p>',
      '<label>A password <input name="password" type="password" required minlength="6" maxlength="100" autocomplete="new-password"></label>',
      '<button>Make my account</button>',
    ]),
  };
}

/** A form for an address. */
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
