import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { BSON, type Document } from 'mongodb';

const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** Bytes of a message's header: length, id, the id that it replies to, and its kind. */
const HEADER = 16;
const CHECKSUM_PRESENT = 1;

/** A received command. */
export interface Request {
  readonly id: number;
  readonly command: Document;
  /** The first message of a connection, in a form that older servers understand. */
  readonly isLegacy: boolean;
}

/** The messages received on a connection, until it ends. */
export async function* messagesOf(socket: Socket): AsyncGenerator<Buffer, undefined> {
  let waiting: Buffer = Buffer.alloc(0);
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    waiting = Buffer.concat([waiting, chunk]);
    while (waiting.length >= HEADER && waiting.length >= waiting.readInt32LE(0)) {
      const length = waiting.readInt32LE(0);
      yield waiting.subarray(0, length);
      waiting = waiting.subarray(length);
    }
  }
}

/** @throws Error for a kind of message that no current driver sends */
export function requestIn(message: Buffer): Request {
  const [id, kind] = [message.readInt32LE(4), message.readInt32LE(12)];
  if (kind === OP_MSG) return { id, command: bodyOf(message), isLegacy: false };
  if (kind !== OP_QUERY) throw new Error(`Messages of kind ${kind} are not understood`);
  const name = message.indexOf(0, HEADER + 4);
  return { id, command: documentAt(message, name + 1 + 8), isLegacy: true };
}

/** The document of a message, including the document sequences after it. */
export function bodyOf(message: Buffer): Document {
  const end = message.length - (message.readUInt32LE(HEADER) & CHECKSUM_PRESENT ? 4 : 0);
  const body: Document = {};
  for (let at = HEADER + 4; at < end;) {
    const isSequence = message[at] === 1;
    const length = message.readInt32LE(at + 1);
    if (isSequence) Object.assign(body, sequenceAt(message, { at: at + 5, end: at + 1 + length }));
    else Object.assign(body, documentAt(message, at + 1));
    at += 1 + length;
  }
  return body;
}

function sequenceAt(message: Buffer, { at, end }: { readonly at: number; readonly end: number }): Document {
  const nameEnd = message.indexOf(0, at);
  const documents: Document[] = [];
  for (let next = nameEnd + 1; next < end; next += message.readInt32LE(next))
    documents.push(documentAt(message, next));
  return { [message.toString('utf8', at, nameEnd)]: documents };
}

/** Numbers keep the driver's types, which are written back unchanged; only 64-bit integers would change. */
function documentAt(message: Buffer, at: number): Document {
  const bytes = message.subarray(at, at + message.readInt32LE(at));
  return BSON.deserialize(bytes, { promoteLongs: false });
}

/** A message with one document. */
export function messageOf(document: Document, answered = 0): Buffer {
  const body = BSON.serialize(document, { ignoreUndefined: true });
  return framed(OP_MSG, answered, Buffer.concat([Buffer.alloc(5), body]));
}

/** The reply to a request, in the same kind of message. */
export function replyTo({ id, isLegacy }: Request, reply: Document): Buffer {
  if (!isLegacy) return messageOf(reply, id);
  const preamble = Buffer.alloc(20);
  preamble.writeInt32LE(1, 16);
  return framed(OP_REPLY, id, Buffer.concat([preamble, BSON.serialize(reply)]));
}

function framed(kind: number, answered: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + content.length, 0);
  header.writeInt32LE(answered, 8);
  header.writeInt32LE(kind, 12);
  return Buffer.concat([header, content]);
}

/** A connection to the server behind the stand-in, which sends one command at a time. */
export class Upstream {
  private readonly replies: AsyncGenerator<Buffer, undefined>;
  private last: Promise<unknown> = Promise.resolve();

  private constructor(private readonly socket: Socket) {
    socket.on('error', () => undefined);
    this.replies = messagesOf(socket);
  }

  static async connect(address: { readonly host: string; readonly port: number }): Promise<Upstream> {
    const socket = connect(address);
    await once(socket, 'connect');
    return new Upstream(socket);
  }

  /** The server's reply, also when it is an error. @throws Error when the connection ends */
  command(command: Document): Promise<Document> {
    const answered = this.last.then(async () => {
      this.socket.write(messageOf(command));
      const { value } = await this.replies.next();
      if (value === undefined) throw new Error('The server behind the stand-in went away');
      return bodyOf(value);
    });
    this.last = answered.catch(() => undefined);
    return answered;
  }

  close(): void {
    this.socket.destroy();
  }
}
