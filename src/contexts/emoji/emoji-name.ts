import { failure } from '../../kernel/errors.js';

/** Maximum number of characters in a name. */
const maxNameLength = 100;

/**
 * The stored form of a custom emoji's name.
 *
 * @throws ApplicationError that says what is wrong
 */
export function customEmojiName(sent: string): string {
  const name = sent.trim().replaceAll(' ', '_');
  if (name === '') throw failure('customEmojiNameMissing');
  if (name.length > maxNameLength) {
    throw failure('customEmojiNameTooLong');
  }
  if (!/^[0-9a-z._-]+$/.test(name)) {
    throw failure('customEmojiNameCharacters');
  }
  if (!/[0-9a-z]$/.test(name)) {
    throw failure('customEmojiNameEnd');
  }
  return name;
}
