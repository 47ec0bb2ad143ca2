import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { status, type ServerReadableStream } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { WrongExpectedRevisionError } from '../../../src/stores/event-store/port.js';
import type { SerializedEvent } from '../../../src/stores/event-store/validate-append.js';
import type { StandInLog } from './log.js';
import {
  appendedMessage,
  emptyAppendMessage,
  expectedRevision,
  GrpcFailure,
  streamName,
  uuidOf,
  wrongRevisionMessage,
} from './messages.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An append as received: its header and its events. */
export interface ProposedAppend {
  readonly options: AppendReq.Options;
  readonly events: readonly SerializedEvent[];
}

/** Receives a whole append; undefined: the client cancelled it. */
export async function receiveAppend(
  call: ServerReadableStream<AppendReq, AppendResp>,
): Promise<ProposedAppend | undefined> {
  let options: AppendReq.Options | undefined;
  const events: SerializedEvent[] = [];
  for await (const request of call as AsyncIterable<AppendReq>) {
    options ??= request.getOptions();
    const proposed = request.getProposedMessage();
    if (proposed) events.push(toEvent(proposed));
  }
  // The end of a cancelled call arrives before the news that it is cancelled.
  await yieldToEventLoop();
  return call.cancelled ? undefined : options && { options, events };
}

/** @throws a gRPC failure as the real server reports it */
export async function storeAppend(
  log: StandInLog,
  { options, events }: ProposedAppend,
  maxBytes: number,
): Promise<AppendResp> {
  if (events.length === 0) return emptyAppendMessage();
  refuseMalformed(events, maxBytes);
  const stream = streamName(options.getStreamIdentifier());
  const expected = expectedRevision(options);
  try {
    return appendedMessage(await log.append(stream, expected, events));
  } catch (error) {
    if (error instanceof WrongExpectedRevisionError) return wrongRevisionMessage(expected, error.actual);
    throw error;
  }
}

function toEvent(proposed: AppendReq.ProposedMessage): SerializedEvent {
  return {
    id: uuidOf(proposed.getId()),
    type: proposed.getMetadataMap().get('type') ?? '',
    data: Buffer.from(proposed.getData_asU8()).toString('utf8'),
    metadata: Buffer.from(proposed.getCustomMetadata_asU8()).toString('utf8') || '{}',
  };
}

function refuseMalformed(events: readonly SerializedEvent[], maxBytes: number): void {
  if (events.some(({ id, type }) => !UUID.test(id) || type === '')) {
    throw new GrpcFailure(status.UNKNOWN, 'Exception was thrown by handler.');
  }
  const bytes = events.reduce((sum, { data }) => sum + Buffer.byteLength(data), 0);
  if (bytes <= maxBytes) return;
  throw new GrpcFailure(status.INVALID_ARGUMENT, `Maximum Append Size of ${maxBytes} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(maxBytes),
  });
}
