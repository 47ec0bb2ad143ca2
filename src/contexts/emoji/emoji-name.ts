import { failure } from '../../kernel/errors.js';

/** The most characters of a name. */
const longestName = 100;

/**
 * A name as custom emoji may have it.
 *
 * @throws ApplicationError `invalidCustomEmojiName`, which says why not
 */
export function customEmojiName(sent: string): string {
  const name = sent.trim().replaceAll(' ', '_');
  if (name === '') throw failure('invalidCustomEmojiName', { reason: 'Emoji name is missing' });
  if (name.length > longestName) {
    throw failure('invalidCustomEmojiName', { reason: 'Emoji name is too long (limit: 100 characters).' });
  }
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw failure('invalidCustomEmojiName', {
      reason:
        'Emoji names must contain only lowercase English letters, digits, spaces, dashes, underscores, and periods.',
    });
  }
  if (!/[0-9a-z]$/.test(name)) {
    throw failure('invalidCustomEmojiName', {
      reason: 'Emoji names must end with either a letter or digit.',
    });
  }
  return name;
}
