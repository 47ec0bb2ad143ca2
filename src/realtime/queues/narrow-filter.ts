import { failure } from '../../kernel/errors.js';
import { foldCase } from '../../kernel/text.js';
import { standardTopic, topicKey } from '../../events/values/message-text.js';

/** The properties of a message that a queue's narrow tests. */
interface NarrowedMessage {
  /** Null for direct messages. */
  readonly channelName: string | null;
  /** Null for direct messages. */
  readonly topic: string | null;
  readonly isResolved: boolean;
  /** The addresses by which the receiver may name the sender; only few narrows ask for them. */
  readonly senderEmails: () => readonly string[];
  /** The receiver's flags. */
  readonly flags: readonly string[];
}

/** Pairs of an operator and an operand. */
type NarrowPairs = readonly (readonly [string, string])[];

type MessageTest = (message: NarrowedMessage) => boolean;

/** Tests whether a message matches a queue's narrow, and keeps the narrow's terms. */
export type NarrowFilter = MessageTest & { readonly terms: NarrowPairs };

export const everyMessage: NarrowFilter = Object.assign(() => true, { terms: [] });

/**
 * The filter for the narrow of `POST /register`: pairs of an operator and an operand, all of which must
 * match.
 *
 * @throws ApplicationError `queueOperatorNotSupported` for an operator that queues do not support
 */
export function narrowFilter(terms: NarrowPairs): NarrowFilter {
  if (terms.length === 0) return everyMessage;
  const tests = terms.map(([operator, operand]) => testOf(operator, operand));
  const passes = (message: NarrowedMessage): boolean => tests.every((test) => test(message));
  return Object.assign(passes, { terms });
}

function testOf(operator: string, operand: string): MessageTest {
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
      return ({ senderEmails }) => senderEmails().some((email) => foldCase(email) === wanted);
    case 'is':
      return stateTest(wanted);
    default:
      throw failure('queueOperatorNotSupported', { reason: operator });
  }
}

function stateTest(state: string): MessageTest {
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
