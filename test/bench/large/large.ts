import { constants } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { peakMegabytes, residentMegabytes } from '../support/resident-memory.js';
import { secondsOf } from '../support/rounds.js';
import { ownerOf, startProduct, type ServerProcess } from '../support/server-process.js';
import { openArchive, type Archive } from './archive.js';
import { Requester } from './requester.js';
import { Bystanders } from './bystanders.js';
import { measureCaseTasks } from './case-tasks.js';
import { consoleRequests, measureConsole, positionOf } from './console-requests.js';
import {
  boundsWith,
  findingsTable,
  missedBound,
  rounded,
  sentencesOf,
  verdictOf,
  type Bounds,
  type Finding,
  type Verdict,
} from './findings.js';
import { heavyRequests, smallSend } from './heavy-requests.js';
import { measuredNarrows } from './narrows.js';
import { onServers, type Installation } from './on-servers.js';
import { measureBytes, measureOperation, operatorTasks, runTool } from './operations.js';
import { measureHeavy, measureNarrow, othersOf, type Measuring } from './requests-measured.js';

/** What is measured, and the bounds. */
export interface LargeOptions {
  readonly messages: number;
  /** Whether the stores are on servers; the bounds for bystanders are the same as for embedded stores. */
  readonly isOnServers: boolean;
  /** The factor for all bounds of times. */
  readonly tolerance: number;
}

const IDLE_MILLISECONDS = 5_000;
const FOLDER = resolve('var', 'bench');

/**
 * Measures a server with a long conversation while three bystanders use it: each narrow, heavy requests, attacks,
 * operators' commands, and then the requests of the console's pages. The conversation is made once, and each run
 * uses a copy of it.
 *
 * @returns the report, and the verdict on it
 */
export async function measureLarge(options: LargeOptions): Promise<Verdict & { readonly report: string }> {
  const archive = await openArchive(FOLDER, options.messages);
  const folder = join(FOLDER, `run-${options.messages}`);
  await rm(folder, { recursive: true, force: true });
  try {
    const findings = options.isOnServers
      ? await onServers(archive, folder, async (installation) => {
          await buildModels(installation);
          return measureIn(installation, archive, options);
        })
      : await measureCopy(folder, archive, options);
    return { report: findingsTable(findings), ...verdictOf(findings) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureCopy(
  folder: string,
  archive: Archive,
  options: LargeOptions,
): Promise<readonly Finding[]> {
  await buildModels({ folder: archive.folder, environment: {} });
  await cp(archive.folder, folder, { recursive: true, mode: constants.COPYFILE_FICLONE });
  const findings = await measureIn({ folder, environment: {} }, archive, options);
  const bytes = await measureBytes(archive.folder, options.messages, boundsWith(options.tolerance));
  return [...findings, ...bytes];
}

/** Builds the models of the present version of the program first, so that no run measures that. */
async function buildModels({ folder, environment }: Installation): Promise<void> {
  const product = await startProduct(folder, environment);
  try {
    for (;;) {
      const status = await runTool(folder, ['projections', 'status', '--json'], environment);
      const reports = status
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { state: string; building: unknown; projection?: string });
      const models = reports.filter(({ projection }) => projection !== undefined);
      if (models.every(({ state, building }) => state === 'live' && building === null)) return;
      const missing = models.filter(({ state }) => state !== 'live').map(({ projection }) => projection);
      process.stderr.write(`Waiting until the models are built: ${missing.join(', ')}\n`);
      await pause(2_000);
    }
  } finally {
    await product.stop();
  }
}

async function measureIn(
  installation: Installation,
  archive: Archive,
  { messages, tolerance }: LargeOptions,
): Promise<readonly Finding[]> {
  const bounds = boundsWith(tolerance);
  const findings: Finding[] = [];
  const product = await measuredStart(installation, findings);
  try {
    const bystanders = Bystanders.start(product.site, archive.members);
    const requester = new Requester(product.site, archive.members.requester);
    await pause(IDLE_MILLISECONDS / 2);
    await bystanders.take();
    await pause(IDLE_MILLISECONDS);
    const idle = await bystanders.take();
    findings.push({ what: 'nobody else', result: '', others: othersOf(idle), missed: [] });
    const visible = await visibleMessages(requester, messages);
    await requester.must({
      method: 'POST',
      path: 'messages/flags',
      // Stars messages first, because a search for starred messages needs some to be meaningful.
      parameters: { messages: visible, op: 'add', flag: 'starred' },
    });
    const middle = visible[Math.floor(visible.length / 2)]!;
    const measuring = { requester, bystanders, idle, bounds, middle, smallSend: smallSend(archive.members) };
    await measureAll(measuring, { installation, archive, findings, product });
    await bystanders.stop();
    findings.push(...(await measurePages({ product, folder: installation.folder, archive, bounds })));
    findings.push(await memoryOf(product, { when: 'in the end', atMost: bounds.memoryInTheEnd }));
  } finally {
    await product.stop();
  }
  return findings;
}

async function measureAll(
  measuring: Measuring,
  {
    installation,
    archive,
    findings,
    product,
  }: {
    readonly installation: Installation;
    readonly archive: Archive;
    readonly findings: Finding[];
    readonly product: ServerProcess;
  },
): Promise<void> {
  const { members, messages } = archive;
  for (const narrow of measuredNarrows(members, measuring.middle)) {
    await add(findings, narrow.what, () => measureNarrow(narrow, measuring));
  }
  for (const heavy of heavyRequests(members, { messages })) {
    await add(findings, heavy.what, () => measureHeavy(heavy, measuring));
  }
  findings.push(
    await memoryOf(product, { when: 'before the commands of operators', atMost: measuring.bounds.memory }),
  );
  for (const task of operatorTasks(installation)) {
    await add(findings, task.what, () => measureOperation(installation, task, measuring));
  }
}

/** Times the requests of the console's pages, as an owner. */
async function measurePages({
  product,
  folder,
  archive: { members, messages },
  bounds,
}: {
  readonly product: ServerProcess;
  readonly folder: string;
  readonly archive: Archive;
  readonly bounds: Bounds;
}): Promise<readonly Finding[]> {
  const { credentials } = await ownerOf(product, folder);
  if (credentials === null) throw new Error('The owner of the archive has no key');
  const owner = new Requester(product.site, credentials);
  const findings: Finding[] = [];
  const messageId = Math.floor(messages / 2);
  const middle = { messageId, position: await positionOf(owner, messageId) };
  for (const request of consoleRequests(members, middle)) {
    await add(findings, `console, ${request.what}`, () => measureConsole(request, { owner, bounds }));
  }
  process.stderr.write('Measuring the tasks of a case …\n');
  return [...findings, ...(await measureCaseTasks(owner, members))];
}

/** Ids of messages from all parts of the conversation that the requester may see. */
async function visibleMessages(requester: Requester, messages: number): Promise<readonly number[]> {
  const ids = Array.from({ length: 200 }, (_, index) => Math.floor(((index + 1) * messages) / 201));
  const { messages: found } = await requester.must({
    method: 'POST',
    path: 'messages',
    parameters: { method: 'GET', message_ids: ids },
  });
  return (found as readonly { readonly id: number }[]).map(({ id }) => id);
}

/** Times a start, from the start of the process to its first reply. */
async function measuredStart(
  { folder, environment }: Installation,
  findings: Finding[],
): Promise<ServerProcess> {
  let product: ServerProcess | null = null;
  const seconds = await secondsOf(async () => {
    product = await startProduct(folder, environment);
  });
  if (product === null) throw new Error('The server did not start');
  findings.push({
    what: 'restart',
    result: `${rounded(seconds)} s until it is ready`,
    others: '',
    missed: [],
  });
  return product;
}

async function memoryOf(
  { pid }: ServerProcess,
  { when, atMost }: { readonly when: string; readonly atMost: number },
): Promise<Finding> {
  const peak = await peakMegabytes(pid);
  return {
    what: `memory of the server, ${when}`,
    result: `${rounded(await residentMegabytes(pid))} MB, ${rounded(peak)} MB at most until then`,
    others: '',
    missed: missedBound('memory', peak, atMost),
  };
}

/** Measures one thing and prints the result immediately, because the whole run takes long. */
async function add(findings: Finding[], what: string, measure: () => Promise<Finding>): Promise<void> {
  process.stderr.write(`Measuring ${what} …\n`);
  const finding = await measure();
  findings.push(finding);
  const rows = finding.rows === undefined ? [] : [`${finding.rows} rows`];
  process.stderr.write(
    `  ${[finding.result, ...rows, finding.others, ...sentencesOf(finding)].join('; ')}\n`,
  );
}
