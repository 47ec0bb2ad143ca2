import type { EventOf } from '../../../kernel/event.js';
import type { MessageSent } from '../../../events/messages.js';
import type { SubmessageAttached } from '../../../events/submessages.js';
import { widgetTextIn } from './widget.js';

/** What is attached to a message: see {@link SubmessageAttached}. */
export type Submessage = Omit<EventOf<typeof SubmessageAttached>['data'], 'messageId'>;

/** Maximum length of a submessage, in code points. */
export const maxSubmessageLength = 1_000;

/**
 * The submessage that a widget message has from the start: it describes the widget to clients that know its
 * kind.
 */
export function firstSubmessages(sent: EventOf<typeof MessageSent>['data']): readonly Submessage[] {
  const content = widgetTextIn(sent);
  return content === null ? [] : [{ submessageId: 1, userId: sent.senderId, kind: 'widget', content }];
}
