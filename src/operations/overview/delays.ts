import { MAX_COUNTED } from '../projection-report.js';
import { MAX_WAITING, watch, type Problem, type ServerFacts, type Waiting } from './server-facts.js';

const MINUTE = 60_000;

/** Servers that do not know a sender often make it wait for some minutes: that is no problem. */
const MAX_MAIL_DELAY = 20 * MINUTE;

/** Notifications are dropped after an hour, so the operator has to know much earlier. */
const MAX_NOTIFICATION_DELAY = 5 * MINUTE;

/** Problems with what is done later than people expect: e-mails, notifications, and what reactors do. */
export function delayProblems(
  facts: Pick<ServerFacts, 'now' | 'mails' | 'notifications' | 'reactors'>,
): readonly Problem[] {
  const { now, mails, notifications, reactors } = facts;
  const behind = reactors.filter(
    ({ state, lagEvents }) => state === 'acting' && (lagEvents ?? 0) >= MAX_COUNTED,
  );
  return [
    ...behind.map(({ reactor }) =>
      watch(
        `The reactor ${reactor} is ${MAX_COUNTED} or more events behind.`,
        'See on this page whether it catches up. If it does not, look at the load, the stores and the log of the server.',
        null,
      ),
    ),
    ...overdueWarnings({ waiting: mails, what: 'e-mail', maxDelay: MAX_MAIL_DELAY, now }).map((what) =>
      watch(
        what,
        'Look for “An e-mail could not be sent” in the log of the server, and try SMTP_URL by hand.',
        null,
      ),
    ),
    ...overdueWarnings({
      waiting: notifications,
      what: 'notification',
      maxDelay: MAX_NOTIFICATION_DELAY,
      now,
    }).map((what) =>
      watch(
        what,
        'Look for push-missed-messages in the log of the server, and whether the push relay answers. After an hour they are dropped.',
        null,
      ),
    ),
  ];
}

interface Queue {
  readonly waiting: Waiting;
  readonly what: string;
  /** Milliseconds. */
  readonly maxDelay: number;
  readonly now: number;
}

function overdueWarnings({
  waiting: { count, since },
  what,
  maxDelay: patience,
  now,
}: Queue): readonly string[] {
  if (since === null || now - since <= patience) return [];
  const number = count >= MAX_WAITING ? `${MAX_WAITING} or more ${what}s wait` : inWords(count, what);
  return [`${number} to be sent, the first for ${Math.round((now - since) / MINUTE)} minutes.`];
}

function inWords(count: number, what: string): string {
  return count === 1 ? `1 ${what} waits` : `${count} ${what}s wait`;
}
