import { BroadcastChannel, workerData } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { asApplicationError } from '../http/as-application-error.js';
import { DeadlineExceededError, type ReadControl, type ReadDeadline } from '../stores/read-store/port.js';
import { EventLoopDelays } from './event-loop-delays.js';
import {
  WARM_UP,
  type CacheVersions,
  type ReaderBroadcast,
  type ReaderEnvironment,
  type ReaderModule,
  type ReaderOutcome,
  type ReaderTask,
  type ReaderThreadData,
  type SentRefusal,
} from './reader-protocol.js';
import { TaskMarker } from './task-marker.js';

/** The client has disconnected. */
class TaskCancelledError extends Error {
  override readonly name = 'TaskCancelledError';
}

interface RunningTask extends ReadDeadline {
  readonly id: number;
  readonly controller: AbortController;
}

const { module, configuration, channel: CHANNEL_NAME, delays } = workerData as ReaderThreadData;

let running: RunningTask | null = null;
let marker: TaskMarker | null = null;
let statements = 0;
let forgotten: CacheVersions = { texts: 0, names: 0, models: 0 };
let environment: Promise<ReaderEnvironment> | null = null;

const control: ReadControl = {
  deadline: () => running,
  running: (count) => {
    statements = count;
    if (marker !== null) marker.statements = count;
  },
  rowsRead: (count) => marker?.addRows(count),
};

const channel = new BroadcastChannel(CHANNEL_NAME);
channel.onmessage = (event) => hear((event as { readonly data: ReaderBroadcast }).data);
channel.unref();
new EventLoopDelays(delays).measure();

/** Runs one task. The pool sends one at a time. */
export async function perform(task: ReaderTask): Promise<ReaderOutcome> {
  marker = new TaskMarker(task.marker);
  marker.statements = statements;
  let timer: NodeJS.Timeout | undefined;
  const controller = new AbortController();
  // There is no deadline until the thread is ready, but a cancellation ends the wait.
  running = { id: task.id, controller, signal: controller.signal, at: Infinity };
  try {
    const opened = await open();
    marker.begin();
    // The task may have been cancelled before it arrived here.
    if (marker.isCancelled) controller.abort(new TaskCancelledError());
    const at = performance.now() + task.milliseconds;
    running = { ...running, at };
    timer = setTimeout(() => controller.abort(new DeadlineExceededError('Too late')), task.milliseconds);
    return moved(await done(task, opened, controller.signal));
  } catch (error) {
    // The task was ended, although the interrupted call may report another error.
    if (controller.signal.aborted || error instanceof DeadlineExceededError) return { type: 'late' };
    return { type: 'refused', refusal: refusalOf(error) };
  } finally {
    clearTimeout(timer);
    running = null;
  }
}

async function done(
  task: ReaderTask,
  opened: ReaderEnvironment,
  signal: AbortSignal,
): Promise<ReaderOutcome> {
  forget(opened, task.forgotten);
  if (task.position !== null) await opened.catchUp(task.position);
  signal.throwIfAborted();
  if (task.kind === WARM_UP) return { type: 'done', result: null, reply: null };
  return { type: 'done', ...(await opened.perform(task)) };
}

/** If opening failed, the next task tries again. */
function open(): Promise<ReaderEnvironment> {
  environment ??= (import(module) as Promise<ReaderModule>).then(({ openReaderEnvironment }) =>
    openReaderEnvironment(configuration, control),
  );
  environment.catch(() => {
    environment = null;
  });
  return environment;
}

function hear(message: ReaderBroadcast): void {
  switch (message.type) {
    case 'cancel':
      if (running?.id === message.task) running.controller.abort(new TaskCancelledError());
      return;
    case 'forget':
      void environment?.then((opened) => forget(opened, message.forgotten)).catch(() => undefined);
  }
}

function forget(opened: ReaderEnvironment, { texts, names, models }: CacheVersions): void {
  if (texts > forgotten.texts) opened.forgetTexts();
  if (names > forgotten.names) opened.forgetNames();
  if (models > forgotten.models) opened.forgetModels();
  forgotten = {
    texts: Math.max(texts, forgotten.texts),
    names: Math.max(names, forgotten.names),
    models: Math.max(models, forgotten.models),
  };
}

/** Transfers the body of a reply instead of copying it. */
function moved(outcome: ReaderOutcome): ReaderOutcome {
  if (outcome.type !== 'done' || outcome.reply === null) return outcome;
  const { buffer } = outcome.reply;
  const movable: object = { [transferableSymbol]: [buffer], [valueSymbol]: outcome };
  // Piscina's wrapper is typed as a transferable, but the receiver gets the value inside.
  return move(movable as ArrayBuffer) as object as ReaderOutcome;
}

function refusalOf(error: unknown): SentRefusal {
  const refusal = asApplicationError(error);
  const { row, code, status, message, fields } = refusal;
  const stack = status >= 500 && error !== refusal ? stackOf(error) : null;
  return { row, code, status, message, fields, stack };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
