import { limits } from '../../events/values/organization-defaults.js';
import { failure } from '../../kernel/errors.js';
import { isLongerThan, isSingleLine } from '../../kernel/text.js';
import { refuseUnrenderable } from '../../markdown/render.js';

const newlines = /\r?\n|\r/g;

/**
 * The stored form of a channel's name: trimmed, 1 to 60 code points, all of them printable.
 *
 * @throws ApplicationError `channelNameEmpty`, `channelNameTooLong`, `channelNameUnprintable`
 */
export function channelNameOf(sent: string): string {
  const name = sent.trim();
  if (name === '') throw failure('channelNameEmpty');
  if (isLongerThan(name, limits.channelName)) throw failure('channelNameTooLong');
  if (!isSingleLine(name)) throw failure('channelNameUnprintable');
  return name;
}

/**
 * The stored form of a channel's description: trimmed, on one line, at most 1024 code points.
 *
 * @throws ApplicationError `channelDescriptionTooLong`, `unrenderableText`
 */
export function channelDescriptionOf(sent: string): string {
  const description = sent.trim().replaceAll(newlines, ' ');
  if (isLongerThan(description, limits.channelDescription)) throw failure('channelDescriptionTooLong');
  refuseUnrenderable(description, {});
  return description;
}
