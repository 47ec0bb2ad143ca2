import { failure } from '../../kernel/errors.js';
import { foldCase } from '../../kernel/fold-case.js';
import { standardTopic, topicKey } from '../../events/values/message-text.js';

/** What of a message a queue's narrow looks at. */
export interface NarrowedMessage {
  /** Null for direct messages. */
  readonly channelName: string | null;
  /** Null for direct messages. */
  readonly topic: string | null;
  readonly isResolved: boolean;
  readonly senderEmail: string;
  /** The receiver's. */
  readonly flags: readonly string[];
}

/** Whether a message passes a queue's narrow. */
export type NarrowFilter = (message: NarrowedMessage) => boolean;

export const everyMessage: NarrowFilter = () => true;

/**
 * The filter of a narrow as `POST /register` takes it: pairs of an operator and an operand, all of which hold.
 *
 * @throws ApplicationError `queueOperatorNotSupported` for an operator that queues do not support
 */
export function narrowFilter(terms: readonly (readonly [string, string])[]): NarrowFilter {
  const tests = terms.map(([operator, operand]) => testOf(operator, operand));
  return tests.length === 0 ? everyMessage : (message) => tests.every((test) => test(message));
}

function testOf(operator: string, operand: string): NarrowFilter {
  const wanted = foldCase(operand);
  switch (operator) {
    case 'channel':
    case 'stream':
      return ({ channelName }) => channelName !== null && foldCase(channelName) === wanted;
    case 'topic': {
      const key = topicKey(standardTopic(operand));
      return ({ topic }) => topic !== null && topicKey(topic) === key;
    }
    case 'sender':
      return ({ senderEmail }) => foldCase(senderEmail) === wanted;
    case 'is':
      return stateTest(wanted);
    default:
      throw failure('queueOperatorNotSupported', { reason: operator });
  }
}

function stateTest(state: string): NarrowFilter {
  switch (state) {
    case 'dm':
    case 'private':
      return ({ channelName }) => channelName === null;
    case 'starred':
      return ({ flags }) => flags.includes('starred');
    case 'unread':
      return ({ flags }) => !flags.includes('read');
    case 'alerted':
      return ({ flags }) => flags.includes('has_alert_word');
    case 'mentioned':
      return ({ flags }) => flags.includes('mentioned') || flags.includes('wildcard_mentioned');
    case 'resolved':
      return ({ isResolved }) => isResolved;
    default:
      throw failure('queueOperandNotSupported', { reason: state });
  }
}
