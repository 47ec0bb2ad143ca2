/** Sites that clients know by themselves (facts, section 2, profile fields). */
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

/** Where the account's name stands in the address of its page. */
export const accountPlace = '%(username)s';
