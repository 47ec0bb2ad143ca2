import { mayKnow } from '../../../access/acquaintances.js';
import { DirectConversations } from '../../../access/direct-conversations.js';
import { deliveryEmail } from '../../../access/email-visibility.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { User } from '../../../access/records/user.js';
import type { ClientEvent } from '../../../realtime/client-event.js';
import type { Receiver } from '../../../realtime/mapper.js';
import { unknownName, unknownUserObject } from '../views/unknown-user.js';
import { userObject } from '../views/user-object.js';

/**
 * An account that clients know of from now on, whole. Viewers who see the same of it get the same object: there may be thousands of
 * them.
 */
export function additionEvent(user: User, { directory }: Snapshot): (receiver: Receiver) => ClientEvent {
  const made = new Map<string, ClientEvent>();
  return ({ user: viewer, options: { clientGravatar } }) => {
    const form = `${clientGravatar} ${deliveryEmail(directory, user, viewer)}`;
    let event = made.get(form);
    if (event === undefined) {
      const person = userObject(user, { directory, viewer, clientGravatar, includeProfile: true });
      made.set(form, (event = { type: 'realm_user', op: 'add', person }));
    }
    return event;
  };
}

/**
 * A new account. It is in no channel and talked with nobody: who may not know it yet is told of a placeholder, where their client wants
 * a whole list of people, else of nothing.
 */
export function registrationEvent(
  user: User,
  snapshot: Snapshot,
): (receiver: Receiver) => ClientEvent | null {
  const whole = additionEvent(user, snapshot);
  const person = unknownUserObject(user.id, { includeProfile: true });
  const placeholder: ClientEvent = { type: 'realm_user', op: 'add', person };
  return (receiver) => {
    const acquainted = { viewer: receiver.user, conversations: DirectConversations.none };
    if (mayKnow(snapshot, acquainted, user)) return whole(receiver);
    return receiver.options.capabilities.user_list_incomplete ? null : placeholder;
  };
}

/** An account of which a client may not know any more. */
export function removalEvent({ id }: User): ClientEvent {
  return { type: 'realm_user', op: 'remove', person: { user_id: id, full_name: unknownName } };
}
