import languages from './data/languages.json' with { type: 'json' };

/** The languages that clients are translated into, by code, each in its own name. */
export { languages };

type LanguageCode = keyof typeof languages;

/** The codes that a person's language may be set to. */
export const languageCodes = Object.keys(languages) as [LanguageCode, ...LanguageCode[]];
