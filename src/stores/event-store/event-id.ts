import { hash, randomUUID } from 'node:crypto';

/** Length of the time part of a time-ordered UUID, with its version digit. */
const TIME = '00000000-0000'.length;
const timeOrderedForm = /^.{14}7/;
const derivedForm = /^.{14}8/;

/**
 * The id of the event at `index` of a command's append. It is the same for every retry of the command, so that a retry writes nothing
 * twice. If the command's id begins with a time, the event's id does too: indexes of ids, and of keys under the same ids, then grow at
 * their end instead of in random places.
 *
 * @returns a lower-case UUID of version 8 (RFC 9562, section 5.8)
 */
export function eventId(commandId: string, index: number): string {
  const id = uuidOf(['event', commandId, String(index)]);
  return timeOrderedForm.test(commandId) ? commandId.slice(0, TIME) + id.slice(TIME) : id;
}

/**
 * The id of a command that may be repeated. It is derived from the parts that identify the request: the actor, the client's `queue_id` and
 * its `local_id`; or a reactor's name and the id of the event that it handles.
 *
 * @returns a lower-case UUID of version 8; equal only for equal parts in the same order
 */
export function commandIdOf(parts: readonly string[]): string {
  return uuidOf(['command', ...parts]);
}

/** Whether a command may be repeated: see {@link commandIdOf}. */
export function isRepeatable(commandId: string): boolean {
  return derivedForm.test(commandId);
}

/**
 * The id of a command that cannot be repeated.
 *
 * @returns a lower-case UUID of version 7 (RFC 9562, section 5.7): the time in milliseconds, then random bits
 */
export function randomCommandId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(TIME + '-7'.length)}`;
}

/** JSON keeps the boundaries of the parts, so that ('ab', 'c') and ('a', 'bc') differ. */
function uuidOf(parts: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(parts));
  const variant = '89ab'[Number.parseInt(digest.charAt(16), 16) & 3];
  return [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
}
