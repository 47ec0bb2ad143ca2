import { failure } from '../kernel/errors.js';
import { limits } from '../organization/defaults.js';

const unprintable = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u;
const newlines = /\r?\n|\r/g;

/**
 * A channel's name as it is kept: trimmed, 1 to 60 code points, all of them printable.
 *
 * @throws ApplicationError `channelNameEmpty`, `channelNameTooLong`, `channelNameUnprintable`
 */
export function channelNameOf(sent: string): string {
  const name = sent.trim();
  if (name === '') throw failure('channelNameEmpty');
  if ([...name].length > limits.channelName) throw failure('channelNameTooLong');
  if (unprintable.test(name)) throw failure('channelNameUnprintable');
  return name;
}

/**
 * A channel's description as it is kept: trimmed and on one line, at most 1024 code points.
 *
 * @throws ApplicationError `channelDescriptionTooLong`
 */
export function channelDescriptionOf(sent: string): string {
  const description = sent.trim().replaceAll(newlines, ' ');
  if ([...description].length > limits.channelDescription) throw failure('channelDescriptionTooLong');
  return description;
}
