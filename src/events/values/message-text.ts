import { emptyTopicDisplayName } from '../../kernel/api-constants.js';
import { limits } from './organization-defaults.js';
import { isLongerThan, foldCase, isSingleLine } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';

/** The prefix of a resolved topic. */
export const resolvedPrefix = '✔ ';

const truncationNotice = '\n[message truncated]';

/**
 * The text as it is kept: trailing blanks and leading newlines dropped, cut at the longest length allowed (which is no
 * error).
 *
 * @throws ApplicationError when it holds a NUL
 */
export function normalizeContent(content: string): string {
  if (content.includes('\0')) throw failure('messageHoldsNullBytes');
  const trimmed = content.trimEnd().replace(/^\n+/, '');
  return truncate(trimmed, limits.message, truncationNotice);
}

/**
 * The topic as it is kept: trimmed, cut at the longest length allowed (which is no error); the display name of the empty
 * topic and the older `(no topic)` become the empty topic.
 *
 * @throws ApplicationError when it holds an unprintable character
 */
export function normalizeTopic(topic: string): string {
  refuseUnprintable(topic.trim());
  return fitTopic(standardTopic(topic));
}

/** The topic trimmed; the display name of the empty topic and the older `(no topic)` are the empty topic. */
export function standardTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === '(no topic)' || trimmed === emptyTopicDisplayName ? '' : trimmed;
}

/** Whether a topic may have this name. */
export function isPrintable(topic: string): boolean {
  return isSingleLine(topic);
}

/** @throws ApplicationError when a topic holds an unprintable character */
export function refuseUnprintable(topic: string): void {
  if (!isPrintable(topic)) throw failure('topicUnprintable');
}

/** The topic cut at the longest length allowed. */
export function fitTopic(topic: string): string {
  return truncate(topic, limits.topic, '...');
}

/** The topic as a client is to see it: some do not know the empty one. */
export function shownTopic(
  topic: string,
  { allowEmptyTopicName }: { readonly allowEmptyTopicName: boolean },
): string {
  return topic === '' && !allowEmptyTopicName ? emptyTopicDisplayName : topic;
}

/** What topics are compared by: they ignore case. */
export function topicKey(topic: string): string {
  return foldCase(topic);
}

/** Whether every message of the topic counts as resolved. */
export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(resolvedPrefix);
}

/** A text cut at `length` code points, with a notice in place of what is missing. */
export function truncateContent(content: string, length: number): string {
  return truncate(content, length, truncationNotice);
}

/** Cuts a text to `length` code points, the last of which are `ending`. */
function truncate(text: string, length: number, ending: string): string {
  if (!isLongerThan(text, length)) return text;
  // A code point takes one or two UTF-16 units.
  const codePoints = [...text.slice(0, 2 * length)];
  return codePoints.slice(0, length - ending.length).join('') + ending;
}
