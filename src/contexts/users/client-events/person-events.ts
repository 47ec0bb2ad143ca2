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
 * The client event for an account that clients may know of from now on. Viewers who see the same fields get
 * the same object, because there may be thousands of them.
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
 * The client event for a new account, which is in no channel and has no conversations. Viewers who may not
 * know it yet get a placeholder if their client wants the complete list of people, else nothing.
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

/** The client event for an account that a client may no longer know of. */
export function removalEvent({ id }: User): ClientEvent {
  return { type: 'realm_user', op: 'remove', person: { user_id: id, full_name: unknownName } };
}
