import { failure } from '../../kernel/errors.js';

/** The most characters of a name. */
const maxNameLength = 100;

/**
 * A name as custom emoji may have it.
 *
 * @throws ApplicationError that says why not
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
