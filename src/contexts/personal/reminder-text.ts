import type { Directory } from '../../access/directory.js';
import type { Snapshot } from '../../access/snapshot.js';
import { limits } from '../../events/values/organization-defaults.js';
import type { MessageDocument } from '../messages/message-document.js';
import { messageAddress, threadMessageLink, type LinkedMessage } from '../messages/place-links.js';
import { silentUserMention } from '../../markdown/written-names.js';
import { truncateContent } from '../../events/values/message-text.js';

/** The message that a reminder is about. */
export type RememberedMessage = LinkedMessage & Pick<MessageDocument, 'senderId' | 'content'>;

/**
 * The text of a due reminder: a link to the message, the person's note, and the present text of the message,
 * cut to fit.
 */
export function reminderText(message: RememberedMessage, note: string, { directory }: Snapshot): string {
  const sender = directory.user(message.senderId);
  const place = placeOf(message, directory);
  const author = sender === null ? 'Somebody' : silentUserMention(sender);
  const request = `You requested a reminder for ${place}.${noteText(note)}`;
  const fence = fenceFor(message.content);
  const opening = `${request}\n\n${author} [said](${messageAddress(message, directory)}):\n${fence}quote`;
  const around = `${opening}\n\n${fence}`;
  const room = limits.message - [...around].length;
  return `${opening}\n${truncateContent(message.content, room)}\n${fence}`;
}

function placeOf({ _id, channelId, topic }: RememberedMessage, directory: Directory): string {
  if (channelId === null) return 'a direct message';
  return threadMessageLink({ channelId, topic: topic ?? '' }, _id, directory);
}

function noteText(note: string): string {
  return note === '' ? '' : ` Note:\n${note.replaceAll(/^/gm, '> ')}`;
}

/** A fence that the text cannot close. */
function fenceFor(content: string): string {
  const longest = Math.max(2, ...Array.from(content.matchAll(/`+/g), ([run]) => run.length));
  return '`'.repeat(longest + 1);
}
