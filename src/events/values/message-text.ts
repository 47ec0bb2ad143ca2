import { EMPTY_TOPIC_DISPLAY_NAME } from '../../kernel/api-constants.js';
import { limits } from './organization-defaults.js';
import { isLongerThan, foldCase, isPrintable } from '../../kernel/text.js';
import { failure } from '../../kernel/errors.js';

/** The prefix of a resolved topic. */
export const RESOLVED_PREFIX = '✔ ';

const TRUNCATION_NOTICE = '\n[message truncated]';

/**
 * The stored form of a text: without trailing blanks and leading newlines, cut to the maximum length (which
 * is not an error).
 *
 * @throws ApplicationError when it contains a NUL
 */
export function normalizeContent(content: string): string {
  if (content.includes('\0')) throw failure('messageHoldsNullBytes');
  const trimmed = content.trimEnd().replace(/^\n+/, '');
  return truncate(trimmed, limits.message, TRUNCATION_NOTICE);
}

/**
 * The stored form of a topic: trimmed, cut to the maximum length (which is not an error); the display name of
 * the empty topic and the older `(no topic)` become the empty topic.
 *
 * @throws ApplicationError when it contains an unprintable character
 */
export function normalizeTopic(topic: string): string {
  refuseUnprintable(topic.trim());
  return fitTopic(standardTopic(topic));
}

/**
 * The topic trimmed; the display name of the empty topic and the older `(no topic)` become the empty topic.
 */
export function standardTopic(topic: string): string {
  const trimmed = topic.trim();
  return trimmed === '(no topic)' || trimmed === EMPTY_TOPIC_DISPLAY_NAME ? '' : trimmed;
}

/** @throws ApplicationError when a topic contains an unprintable character */
export function refuseUnprintable(topic: string): void {
  if (!isPrintable(topic)) throw failure('topicUnprintable');
}

/** The topic cut to the maximum length. */
export function fitTopic(topic: string): string {
  return truncate(topic, limits.topic, '...');
}

/** The topic as a client shows it: some clients do not support the empty one. */
export function shownTopic(
  topic: string,
  { allowEmptyTopicName }: { readonly allowEmptyTopicName: boolean },
): string {
  return topic === '' && !allowEmptyTopicName ? EMPTY_TOPIC_DISPLAY_NAME : topic;
}

/** The key that topics are compared by: they ignore case. */
export function topicKey(topic: string): string {
  return foldCase(topic);
}

/** Whether the topic counts as resolved. */
export function isResolvedTopic(topic: string): boolean {
  return topic.startsWith(RESOLVED_PREFIX);
}

/** A text cut to `length` code points, with a notice at its end. */
export function truncateContent(content: string, length: number): string {
  return truncate(content, length, TRUNCATION_NOTICE);
}

/** Cuts a text to `length` code points, including `ending`. */
function truncate(text: string, length: number, ending: string): string {
  if (!isLongerThan(text, length)) return text;
  // A code point takes one or two UTF-16 units.
  const codePoints = [...text.slice(0, 2 * length)];
  return codePoints.slice(0, length - ending.length).join('') + ending;
}
