import { constants } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import type { CaseBundle, CaseHits, CaseSize } from '../../audit/cases/tasks/case-task.js';
import { counted, plain } from '../../audit/sentences/wording.js';
import { askRunningServer, type ControlRequest } from '../../operations/control-socket.js';
import { CommandFailedError, exitCodes, type CommandAction, type CommandContext } from '../command.js';
import { alreadyThere, requireNewFile, unwritable } from '../new-file.js';
import { confirm, type Confirmed } from '../confirmation.js';
import { operatorAccount } from '../operator-account.js';
import { tableOf } from '../terminal.js';
import { changedBy, describedBy, type CaseOptions } from './case-description.js';
import { shownTime } from './moment.js';

/** A case in the server's answer. */
interface CaseReply {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly hold: { readonly at: number } | null;
  readonly created: { readonly at: number };
}

interface OfCase {
  readonly case: number;
}

/** Carries out a command in the running server or, if none runs, in this process. @throws CommandFailedError */
async function ask<Answer, Result = Answer>(
  { configuration, terminal }: CommandContext,
  { command, parameters = {} }: ControlRequest,
  use: (answer: Answer) => Promise<Result> | Result,
): Promise<Result> {
  const progress = terminal.progress('Looking through the case', null);
  const request: ControlRequest = {
    command,
    parameters: { ...parameters, operator: operatorAccount() },
    onProgress: (said) => {
      const share = (said as { readonly progress: number }).progress;
      progress.set(Math.round(share * 100), share);
    },
  };
  const done = (answer: unknown): Promise<Result> => {
    progress.end();
    return Promise.resolve(use(answer as Answer));
  };
  const answer = await askRunningServer(configuration.dataDirectory, request);
  if (answer === null) return (await import('./case-asking.js')).carryOutHere(configuration, request, done);
  if (!answer.ok) throw new CommandFailedError(answer.message);
  return done(answer.message);
}

const same = <Value>(value: Value): Value => value;

/** What `palimpsest audit case list` does. */
export const listCases: CommandAction<object> = async (_parameters, context) => {
  const { terminal } = context;
  const cases = await ask<readonly CaseReply[]>(context, { command: 'case list' }, same);
  if (terminal.json) for (const one of cases) await terminal.print(JSON.stringify(one));
  else
    for (const line of tableOf(['case', 'name', 'state', 'hold since'], cases.map(cellsOf)))
      await terminal.print(line);
  return exitCodes.done;
};

function cellsOf({ id, name, state, hold }: CaseReply): readonly string[] {
  return [String(id), plain(name), state, hold === null ? '-' : shownTime(hold.at * 1000)];
}

/** What `palimpsest audit case create` does. */
export const createCase: CommandAction<CaseOptions & { readonly name: string }> = async (
  parameters,
  context,
) => {
  const description = await describedBy(parameters, context.configuration);
  return sendCommand(context, { command: 'case create', parameters: { description } });
};

/** What `palimpsest audit case change` does. */
export const changeCase: CommandAction<OfCase & CaseOptions> = async (parameters, context) => {
  const { case: caseId, ...options } = parameters;
  const change = await changedBy(options, context.configuration);
  return sendCommand(context, { command: 'case change', parameters: { case: caseId, change } });
};

/** What `palimpsest audit case show` does. */
export const showCase: CommandAction<OfCase & { readonly size?: boolean }> = async (parameters, context) => {
  const code = await sendCommand(context, { command: 'case show', parameters: { case: parameters.case } });
  if (parameters.size !== true) return code;
  const size = await ask<CaseSize>(
    context,
    { command: 'case size', parameters: { case: parameters.case } },
    same,
  );
  const { terminal } = context;
  if (terminal.json) await terminal.print(JSON.stringify(size));
  else
    for (const [name, value] of Object.entries(size))
      await terminal.print(`${name.replaceAll('_', ' ')}: ${value}`);
  return exitCodes.done;
};

/** What `palimpsest audit case hold` does. */
export const holdCase: CommandAction<OfCase> = (parameters, context) =>
  sendCommand(context, { command: 'case hold', parameters: { case: parameters.case } });

/** What `palimpsest audit case release` does. */
export const releaseCase: CommandAction<OfCase & Confirmed> = async (parameters, context) => {
  await confirm(
    `The legal hold on case ${parameters.case} will be lifted: what was to be erased while it stood, and no other hold keeps, is erased for good.`,
    parameters,
  );
  return sendCommand(context, { command: 'case release', parameters: { case: parameters.case } });
};

/** What `palimpsest audit case close` does. */
export const closeCase: CommandAction<OfCase & Confirmed> = async (parameters, context) => {
  await confirm(
    `Case ${parameters.case} will be closed for good: it can be read, and not changed any more.`,
    parameters,
  );
  return sendCommand(context, { command: 'case close', parameters: { case: parameters.case } });
};

async function sendCommand(
  context: CommandContext,
  request: ControlRequest,
): ReturnType<CommandAction<object>> {
  const { terminal } = context;
  const reply = await ask<CaseReply>(context, request, same);
  if (terminal.json) await terminal.print(JSON.stringify(reply));
  else {
    const held =
      reply.hold === null ? 'no legal hold' : `a legal hold since ${shownTime(reply.hold.at * 1000)}`;
    await terminal.print(`Case ${reply.id}, ${plain(reply.name)}: ${reply.state}, ${held}.`);
  }
  return exitCodes.done;
}

/** What `palimpsest audit case search` does. */
export const searchInCase: CommandAction<
  OfCase & { readonly words: string; readonly after?: number }
> = async (parameters, context) => {
  const { terminal } = context;
  const found = await ask<CaseHits>(context, { command: 'case search', parameters: { ...parameters } }, same);
  for (const hit of found.hits) {
    if (terminal.json) await terminal.print(JSON.stringify(hit));
    else for (const line of linesOf(hit)) await terminal.print(line);
  }
  for (const line of searchSummary(found)) terminal.say(line);
  return exitCodes.done;
};

/** What a search looked through, and what it may have missed: one sentence a line. */
export function searchSummary({
  hits,
  looked,
  beyond,
  unreadable_events: lost,
}: CaseHits): readonly string[] {
  const lines = [`${hits.length} of ${looked} messages that were looked through.`];
  if (lost > 0) lines.push(`The words may also be in ${counted(lost, 'event')} that cannot be read.`);
  if (beyond !== null) lines.push(`There may be more: go on with --after ${beyond}.`);
  return lines;
}

function linesOf({
  message_id,
  sender_name,
  sent,
  deleted,
  versions,
}: CaseHits['hits'][number]): readonly string[] {
  const gone = deleted === null ? '' : `, deleted ${shownTime(deleted * 1000)}`;
  return [
    `Message ${message_id} by ${plain(sender_name ?? 'somebody')}, ${shownTime(sent * 1000)}${gone}`,
    ...versions.map(
      ({ number, is_latest, excerpt }) =>
        `  version ${number}${is_latest ? '' : ', changed since'}: ${plain(excerpt)}`,
    ),
  ];
}

/** What `palimpsest audit case export` does. */
export const exportCase: CommandAction<OfCase & { readonly file: string }> = async (parameters, context) => {
  const { terminal } = context;
  // Making a bundle takes long, is recorded in the log, and signs something.
  await requireNewFile(parameters.file);
  const made = await ask<
    CaseBundle & { readonly task: string; readonly file: string },
    CaseBundle & { readonly task: string }
  >(
    context,
    { command: 'case export', parameters: { case: parameters.case } },
    async ({ file, ...bundle }) => {
      await take(file, parameters.file);
      return bundle;
    },
  );
  const { task, ...bundle } = made;
  // The server's copy of the bundle is no longer needed. Without a server it was removed when the stores closed.
  await askRunningServer(context.configuration.dataDirectory, { command: 'case drop', parameters: { task } });
  if (terminal.json) await terminal.print(JSON.stringify(bundle));
  else
    await terminal.print(
      `${parameters.file}: ${bundle.messages} messages, ${bundle.files} files, ${bundle.events} events, SHA-256 ${bundle.sha256}`,
    );
  terminal.say(`Signed by ${bundle.signer}`);
  return exitCodes.done;
};

async function take(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await chmod(to, 0o600);
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === 'EEXIST' ? alreadyThere(to) : unwritable(to, cause);
  }
}
