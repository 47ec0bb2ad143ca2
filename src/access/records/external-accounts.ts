/** Sites that clients know without further data. */
export const knownExternalAccounts = {
  twitter: {
    text: 'Twitter',
    url_pattern: 'https://twitter.com/%(username)s',
    name: 'Twitter username',
    hint: '',
  },
  github: {
    text: 'GitHub',
    url_pattern: 'https://github.com/%(username)s',
    name: 'GitHub username',
    hint: '',
  },
} as const;

export type KnownExternalAccount = keyof typeof knownExternalAccounts;

/** Placeholder for the account's name in the URL of its page. */
export const accountPlace = '%(username)s';
