import type { Channel } from '../../../access/records/channel.js';
import { failure } from '../../../kernel/errors.js';
import type { User } from '../../../access/records/user.js';
import { conversationKey } from '../conversation-documents.js';
import type { NarrowContext } from './compiled-narrow.js';
import type { Operand, Term } from './terms.js';

/**
 * The channel that a term names, by id or by name in any case, without a check whether the person may see it.
 */
export function channelOf({ operand }: Term, { snapshot: { directory } }: NarrowContext): Channel {
  const channel =
    typeof operand === 'number' ? directory.channel(operand) : directory.channelByName(String(operand));
  if (channel === null) throw failure('badNarrow', { desc: `unknown channel ${String(operand)}` });
  return channel;
}

/** The account that a term names. */
export function senderOf({ operand }: Term, context: NarrowContext): User {
  return userOf(typeof operand === 'object' ? '' : operand, context);
}

/**
 * Key of the conversation that a term names, the person included; `""`, which is no conversation's key, for
 * nobody.
 */
export function conversationOf({ operand }: Term, context: NarrowContext): string {
  const named = peopleIn(operand, context);
  return named.length === 0 ? '' : conversationKey([...named, context.user.id]);
}

/** Ids of the people that a term names: all of them must take part. */
export function participantOf({ operand }: Term, context: NarrowContext): readonly number[] {
  return [...new Set([...peopleIn(operand, context), context.user.id])];
}

function peopleIn(operand: Operand, context: NarrowContext): readonly number[] {
  if (typeof operand === 'number') return [userOf(operand, context).id];
  if (typeof operand !== 'string') return operand.map((id) => userOf(id, context).id);
  if (operand.trim() === '') throw failure('badNarrow', { desc: 'unknown user' });
  return operand.split(',').map((email) => userOf(email.trim(), context).id);
}

function userOf(name: string | number, { snapshot, userByEmail }: NarrowContext): User {
  const user = typeof name === 'number' ? snapshot.directory.user(name) : userByEmail(name);
  if (user === null) throw failure('badNarrow', { desc: `unknown user ${name}` });
  return user;
}
