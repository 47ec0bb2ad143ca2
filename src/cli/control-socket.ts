import { once } from 'node:events';
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** What the running server is asked for, by name; each answers a sentence for the operator. */
export type ControlCommands = Readonly<Record<string, () => Promise<string>>>;

/** A socket that command-line tools find the running server by. */
export interface ControlSocket {
  close(): Promise<void>;
}

/** What came of a command; the sentence is for the operator. */
export type ControlAnswer =
  { readonly ok: true; readonly message: string } | { readonly ok: false; readonly message: string };

const socketName = 'control.sock';

/** The path of a Unix socket fits into so many bytes on every system. */
const MAX_PATH_BYTES = 103;

/** Longer than any command; whoever sends more is cut off. */
const MAX_REQUEST_CHARACTERS = 10_000;

/**
 * Listens on a Unix socket in the data directory that only the server's own user can open: one JSON object a line each way,
 * `{"command":"…"}` and a {@link ControlAnswer}. Only whoever holds the directory's lock may call it: a socket that a dead server
 * left is removed.
 */
export async function listenForControl(
  dataDirectory: string,
  commands: ControlCommands,
): Promise<ControlSocket> {
  const file = join(dataDirectory, socketName);
  await rm(file, { force: true });
  const connections = new Set<Socket>();
  const inTurn = oneAtATime(commands);
  const server = createServer((socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
    void serveConnection(socket, inTurn);
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
 * Asks the server that runs on a data directory.
 *
 * @returns null when none runs
 */
export async function askRunningServer(
  dataDirectory: string,
  command: string,
): Promise<ControlAnswer | null> {
  const socket = await withSocketPath(dataDirectory, connect);
  if (socket === null) return null;
  // A connection that breaks ends the lines, which is told below.
  socket.on('error', () => socket.destroy());
  try {
    socket.write(`${JSON.stringify({ command })}\n`);
    for await (const line of createInterface({ input: socket })) return JSON.parse(line) as ControlAnswer;
    return { ok: false, message: 'The running server ended before it answered.' };
  } finally {
    socket.destroy();
  }
}

/** Two tools that ask at once are answered one after the other: commands need not reckon with each other. */
function oneAtATime(commands: ControlCommands): ControlCommands {
  let last: Promise<unknown> = Promise.resolve();
  const waiting = Object.entries(commands).map(([name, run]) => {
    const runInTurn = (): Promise<string> => {
      const turn = last.then(run, run);
      last = turn;
      return turn;
    };
    return [name, runInTurn] as const;
  });
  return Object.fromEntries(waiting);
}

/**
 * Gives a path of the socket that fits into an address, however deep the data directory lies: a long one is reached through a
 * link in the folder for temporary files, which is gone when `use` is done.
 */
async function withSocketPath<Result>(
  dataDirectory: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = join(dataDirectory, socketName);
  if (Buffer.byteLength(path) <= MAX_PATH_BYTES) return use(path);
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-'));
  try {
    await symlink(dataDirectory, join(folder, 'data'));
    return await use(join(folder, 'data', socketName));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Binding makes the file with what the mask leaves of its mode: so nobody else can connect even before it is changed. */
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

async function serveConnection(socket: Socket, commands: ControlCommands): Promise<void> {
  let received = 0;
  socket.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received > MAX_REQUEST_CHARACTERS) socket.destroy();
  });
  // A tool that goes away gets no answer, and that is all.
  socket.on('error', () => socket.destroy());
  for await (const line of createInterface({ input: socket })) {
    socket.write(`${JSON.stringify(await answer(line, commands))}\n`);
  }
}

async function answer(line: string, commands: ControlCommands): Promise<ControlAnswer> {
  try {
    const { command } = JSON.parse(line) as { readonly command: unknown };
    const run =
      typeof command === 'string' && Object.hasOwn(commands, command) ? commands[command] : undefined;
    if (run === undefined) return { ok: false, message: 'The running server does not know this command.' };
    return { ok: true, message: await run() };
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
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw error;
  }
}
