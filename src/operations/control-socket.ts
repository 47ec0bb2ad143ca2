import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The parameters of a command: plain JSON. */
export type ControlParameters = Readonly<Record<string, unknown>>;
export type ReportProgress = (progress: unknown) => void;

/**
 * Executes a command. It answers a sentence for the operator, or other plain JSON that the tool understands, and
 * may report progress before.
 */
export type ControlCommand = (parameters: ControlParameters, report: ReportProgress) => Promise<unknown>;

/**
 * The commands of the running server, by name. They run one after the other, except those marked `concurrent`, which
 * run immediately.
 */
export type ControlCommands = Readonly<
  Record<string, ControlCommand | { readonly concurrent: ControlCommand }>
>;

/** A socket through which command-line tools reach the running server. */
export interface ControlSocket {
  close(): Promise<void>;
}

/** The result of a command: its answer, or a sentence for the operator that says why it failed. */
type ControlAnswer =
  { readonly ok: true; readonly message: unknown } | { readonly ok: false; readonly message: string };

/** A command and its parameters, as a tool sends them. */
export interface ControlRequest {
  readonly command: string;
  readonly parameters?: ControlParameters;
  readonly onProgress?: ReportProgress;
}

const SOCKET_NAME = 'control.sock';

/** The length that the path of a Unix socket may have on every operating system, in bytes. */
const MAX_PATH_BYTES = 103;

/** Longer than any command: the scope of a case and its description take some 40 kB. */
const MAX_REQUEST_BYTES = 65_536;

/**
 * Listens on a Unix socket in the data directory that only the server's own user can open. Each message is a JSON
 * object on one line: a request `{"command":"…","parameters":{…}}`, then any number of `{"progress":…}` and a
 * {@link ControlAnswer}. The caller must hold the lock of the directory, because this function removes a socket
 * that a dead server left.
 */
export async function listenForControl(
  dataDirectory: string,
  commands: ControlCommands,
): Promise<ControlSocket> {
  const file = join(dataDirectory, SOCKET_NAME);
  await rm(file, { force: true });
  const connections = new Set<Socket>();
  const serialized = oneAtATime(commands);
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    void serveConnection(socket, serialized);
  });
  await withSocketPath(dataDirectory, (path) => listenPrivately(server, path));
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of connections) socket.destroy();
      await closed;
      await rm(file, { force: true });
    },
  };
}

/**
 * Sends a command to the server that runs on a data directory.
 *
 * @returns null when no server runs
 */
export async function askRunningServer(
  dataDirectory: string,
  request: string | ControlRequest,
): Promise<ControlAnswer | null> {
  const {
    command,
    parameters = {},
    onProgress,
  } = typeof request === 'string' ? { command: request } : request;
  const socket = await withSocketPath(dataDirectory, connect);
  if (socket === null) return null;
  // A broken connection ends the lines, which is handled below.
  socket.on('error', () => socket.destroy());
  try {
    socket.write(`${JSON.stringify({ command, parameters })}\n`);
    for await (const line of createInterface({ input: socket })) {
      const said = JSON.parse(line) as ControlAnswer | { readonly progress: unknown };
      if (!('progress' in said)) return said;
      onProgress?.(said.progress);
    }
    return { ok: false, message: 'The running server ended before it answered.' };
  } finally {
    socket.destroy();
  }
}

/** Runs commands one after the other, so that no command has to expect another one to run at the same time. */
function oneAtATime(commands: ControlCommands): Readonly<Record<string, ControlCommand>> {
  let last: Promise<unknown> = Promise.resolve();
  const waiting = Object.entries(commands).map(([name, command]) => {
    if (typeof command !== 'function') return [name, command.concurrent] as const;
    const runInTurn: ControlCommand = (parameters, report) => {
      const run = (): Promise<unknown> => command(parameters, report);
      const turn = last.then(run, run);
      last = turn;
      return turn;
    };
    return [name, runInTurn] as const;
  });
  return Object.fromEntries(waiting);
}

/**
 * Calls `use` with a path of the socket that is short enough for an address. A path that is too long is replaced by
 * a link in the folder for temporary files, which is removed when `use` is done.
 */
async function withSocketPath<Result>(
  dataDirectory: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(dataDirectory, SOCKET_NAME);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  try {
    await symlink(dataDirectory, join(folder, 'data'));
    return await use(join(folder, 'data', SOCKET_NAME));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Binding creates the file with the mode that the umask allows: with this umask nobody else can connect even before
 * the mode is set.
 */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = once(server, 'listening');
  const mask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(mask);
  }
  await listening;
  await chmod(path, 0o600);
}

async function serveConnection(
  socket: Socket,
  commands: Readonly<Record<string, ControlCommand>>,
): Promise<void> {
  const lines = createInterface({ input: socket });
  const say = (value: object): void => void socket.write(`${JSON.stringify(value)}\n`);
  whenTooLong(socket, () => {
    say(tooLong);
    socket.end();
    lines.close();
    // The rest is read and dropped: a tool that cannot send it would not read the answer.
    socket.resume();
  });
  // A tool that disconnects gets no answer; there is nothing else to do.
  socket.on('error', () => socket.destroy());
  for await (const line of lines) say(await answer(line, commands, (progress) => say({ progress })));
}

const tooLong: ControlAnswer = {
  ok: false,
  message: `The running server takes requests of at most ${MAX_REQUEST_BYTES} bytes: give it less text, or fewer people and channels.`,
};

function whenTooLong(socket: Socket, refuse: () => void): void {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
    if (received <= MAX_REQUEST_BYTES) return;
    socket.off('data', count);
    refuse();
  };
  socket.on('data', count);
}

async function answer(
  line: string,
  commands: Readonly<Record<string, ControlCommand>>,
  report: ReportProgress,
): Promise<ControlAnswer> {
  try {
    const { command, parameters } = JSON.parse(line) as Readonly<Record<'command' | 'parameters', unknown>>;
    const run =
      typeof command === 'string' && Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (run === undefined) return { ok: false, message: 'The running server does not know this command.' };
    const given = typeof parameters === 'object' && parameters !== null ? parameters : {};
    return { ok: true, message: await run(given as ControlParameters, report) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

async function connect(path: string): Promise<Socket | null> {
  const socket = createConnection(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** The running server's name for the command `palimpsest owner reset-key`. */
export const RESET_OWNER_KEY_COMMAND = 'owner reset-key';
export const ERASE_PERSON_COMMAND = 'owner erase-person';
export const REACTIVATE_ORGANIZATION_COMMAND = 'owner reactivate-organization';
export const ownerCommandNames = [
  RESET_OWNER_KEY_COMMAND,
  ERASE_PERSON_COMMAND,
  REACTIVATE_ORGANIZATION_COMMAND,
] as const;
