import { delayProblems } from './delays.js';
import { elsewhereProblems } from './elsewhere.js';
import { act, watch, type Problem, type ServerFacts } from './server-facts.js';

/** The state of the server. */
export interface Verdict {
  readonly level: 'well' | Problem['level'];
  /** A summary in one sentence. */
  readonly sentence: string;
  /** The most urgent problem is first. */
  readonly findings: readonly Problem[];
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MEBIBYTE = 1_048_576;

/** A node that lags by more than this, in seconds, refuses writes. */
const LAG = 2;
const DELAY = 0.25;
/** On a busy machine a seal may be late by this many milliseconds. */
const SEAL_GRACE = 60_000;

/** Summarizes the state of a server in one sentence, and says what to do about each problem. */
export function verdictOn(facts: ServerFacts): Verdict {
  const found = [
    ...modelProblems(facts),
    ...reactorProblems(facts),
    ...elsewhereProblems(facts),
    ...storeProblems(facts),
    ...otherProblems(facts),
    ...delayProblems(facts),
  ];
  const problems = [...found.filter(({ level }) => level === 'act'), ...found.filter(isToWatch)];
  const [first, ...others] = problems;
  if (first === undefined) return { level: 'well', sentence: 'All is well.', findings: problems };
  const rest = others.length === 0 ? '' : ` ${others.length} more below.`;
  return { level: first.level, sentence: `${first.what}${rest}`, findings: problems };
}

function isToWatch({ level }: Problem): boolean {
  return level === 'watch';
}

function modelProblems({ projections }: ServerFacts): readonly Problem[] {
  return projections.flatMap(({ projection, state, lagSeconds, building }): readonly Problem[] => {
    if (state === 'halted')
      return [
        act(
          `The read model ${projection} is halted at an event that it cannot apply.`,
          'Mend the program and restart it, or retry; or give the event up.',
          'dead-letters',
        ),
      ];
    if (state === 'unseen')
      return [
        act(`Requests do not find what is written to the read model ${projection}.`, 'Rebuild it.', 'models'),
      ];
    if (state === 'paused')
      return [watch(`The read model ${projection} is paused.`, 'Resume it when you are done.', 'models')];
    if (state === 'live' && lagSeconds > LAG && building === null)
      return [
        act(
          `The read model ${projection} is ${Math.round(lagSeconds)} s behind the log.`,
          'Look at the load, the disk and the log of the server: while it lags, writes are refused.',
          'models',
        ),
      ];
    return [];
  });
}

function reactorProblems({ reactors }: ServerFacts): readonly Problem[] {
  return reactors.flatMap(({ reactor, state, stoppedSeconds }): readonly Problem[] => {
    if (state === 'halted')
      return [
        act(
          `The reactor ${reactor} is halted at an event that it cannot act on.`,
          'Mend the program and restart it, or retry; or give the event up.',
          'dead-letters',
        ),
      ];
    if (state === 'unavailable' && stoppedSeconds > 30)
      return [
        act(
          `The reactor ${reactor} waits for a store or a read model.`,
          'Look whether the stores answer and the read models advance: the log of the server names what is waited for.',
          null,
        ),
      ];
    return [];
  });
}

function storeProblems(facts: ServerFacts): readonly Problem[] {
  const { now, disk, unsealedSince, sealSeconds, lastBackupAt } = facts;
  const problems: Problem[] = [];
  const share = disk.freeBytes / Math.max(1, disk.totalBytes);
  const left = `The disk of DATA_DIR has ${Math.round(disk.freeBytes / MEBIBYTE)} MiB left.`;
  const room = 'Make room: when it is full, writes are refused. Versions that do not serve can be dropped.';
  if (disk.freeBytes < 512 * MEBIBYTE || share < 0.02) problems.push(act(left, room, 'models'));
  else if (share < 0.1) problems.push(watch(left, room, 'models'));
  if (unsealedSince !== null && now - unsealedSince > sealSeconds * 2_000 + SEAL_GRACE)
    problems.push(
      act(
        'What was written last is not sealed, though it is due.',
        'Look for seal-log in the log of the server, and run palimpsest audit verify.',
        null,
      ),
    );
  if (lastBackupAt !== null && now - lastBackupAt > 7 * DAY)
    problems.push(
      watch(
        `The last backup is ${Math.floor((now - lastBackupAt) / DAY)} days old.`,
        'Run palimpsest backup.',
        null,
      ),
    );
  return problems;
}

function otherProblems({ requestDelay, mailsFailed, notificationsFailed }: ServerFacts): readonly Problem[] {
  const problems: Problem[] = [];
  if (requestDelay > DELAY)
    problems.push(
      watch(
        `Requests wait up to ${Math.round(requestDelay * 1000)} ms for their thread.`,
        'Look which requests are slow (/metrics), and how busy the machine is.',
        null,
      ),
    );
  if (mailsFailed > 0)
    problems.push(
      watch(
        `${mailsFailed} ${mailsFailed === 1 ? 'e-mail was' : 'e-mails were'} given up in the last hour.`,
        'Look for “An e-mail could not be sent” in the log of the server, and try SMTP_URL by hand.',
        null,
      ),
    );
  if (notificationsFailed > 0)
    problems.push(
      watch(
        `${notificationsFailed} ${notificationsFailed === 1 ? 'notification was' : 'notifications were'} dropped in the last hour.`,
        'They waited for more than an hour. Look for “The push relay failed” in the log; otherwise the server was stopped, or could not write, meanwhile.',
        null,
      ),
    );
  return problems;
}
