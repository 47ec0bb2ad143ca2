/** The subjects that the welcome bot can answer, each with the words that ask for it. */
const subjects: readonly { readonly words: readonly string[]; readonly answer: string }[] = [
  {
    words: ['app', 'apps'],
    answer:
      'You can read and write from a phone or another computer too: apps that speak this API connect to the address that you log in at, with your e-mail address.',
  },
  {
    words: ['profile'],
    answer:
      'Your profile is what others see of you: your name, a picture, and what the organization asks for besides. You change it in the settings of your app.',
  },
  {
    words: ['theme'],
    answer: 'Most apps have a light and a dark theme: look for it in their settings.',
  },
  {
    words: ['channel', 'channels', 'stream', 'streams'],
    answer:
      'Channels say who gets a message: those who are subscribed. Each is about a subject, a team or a project. You can subscribe to public ones yourself; others are private.',
  },
  {
    words: ['topic', 'topics'],
    answer:
      'Topics say what a message is about. Each channel has many of them: reply within a topic, and start a new one for a new matter, so that several conversations can go on at once.',
  },
  {
    words: ['format', 'formatting'],
    answer:
      'You write in Markdown: `**bold**` is **bold**, `*slanted*` is *slanted*, and `@**name**` mentions somebody. A line of three backticks begins and ends code.',
  },
  {
    words: ['shortcut', 'shortcuts', 'keyboard', 'keyboard shortcuts'],
    answer: 'Many apps can be used by the keyboard alone: look for a list of shortcuts in their help.',
  },
  {
    words: ['help'],
    answer:
      'Ask me about `apps`, your `profile`, the `theme`, `channels`, `topics`, `formatting` or `shortcuts`. Everything else the people of your organization know best.',
  },
];

/** The welcome bot's answer to an unknown text, sent once. */
export const welcomeHint =
  'I am a program, and that was too much for me. Try one of these words: `apps`, `profile`, `theme`, `channels`, `topics`, `formatting`, `shortcuts`, `help`.';

/** The welcome bot's answer; null: the text is unknown. */
export function welcomeAnswer(said: string): string | null {
  // Longer texts cannot be a known word.
  if (said.length > 100) return null;
  const word = said
    .trim()
    .toLowerCase()
    .replaceAll(/^[`"“]+|[`"”.!?]+$/g, '')
    .trim();
  return subjects.find(({ words }) => words.includes(word))?.answer ?? null;
}
