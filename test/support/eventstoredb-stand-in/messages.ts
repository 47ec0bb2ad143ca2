import { Metadata, type status } from '@grpc/grpc-js';
import shared, { type StreamIdentifier, type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streams, {
  type AppendReq,
  type AppendResp,
  type ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendResult, ExpectedRevision, PersistedEvent } from '../../../src/stores/event-store/port.js';

/** No test reads the time at which a record was created. */
const CREATED = '0';

/** How the server ends a call that fails. The client recognises some failures by their `exception`. */
export class GrpcFailure extends Error {
  override readonly name = 'GrpcFailure';
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    readonly details: string,
    metadata: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(metadata)) this.metadata.set(key, value);
  }
}

export function streamName(identifier: StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

function identifierOf(stream: string): StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream, 'utf8'));
}

/** Ids are returned in lower case, however they were sent. */
export function uuidOf(uuid: UUID | undefined): string {
  return (uuid?.getString() ?? '').toLowerCase();
}

export function expectedRevision(options: AppendReq.Options): ExpectedRevision {
  if (options.hasAny()) return 'any';
  return options.hasNoStream() ? 'no-stream' : Number(options.getRevision());
}

export function eventMessage(event: PersistedEvent): ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setCommitPosition(String(event.position))
    .setPreparePosition(String(event.position))
    .setData(Buffer.from(JSON.stringify(event.data), 'utf8'))
    .setCustomMetadata(Buffer.from(JSON.stringify(event.metadata), 'utf8'));
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', 'application/json')
    .set('created', CREATED);
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  return new streams.ReadResp().setEvent(read);
}

export function confirmationMessage(subscriptionId: string): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(subscriptionId);
  return new streams.ReadResp().setConfirmation(confirmation);
}

export function checkpointMessage(position: number): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position));
  return new streams.ReadResp().setCheckpoint(checkpoint);
}

export function caughtUpMessage(): ReadResp {
  return new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());
}

export function streamNotFoundMessage(stream: string): ReadResp {
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream));
  return new streams.ReadResp().setStreamNotFound(notFound);
}

/** An append of no events succeeds with revision 0 and no position. */
export function emptyAppendMessage(): AppendResp {
  const success = new streams.AppendResp.Success().setCurrentRevision('0').setNoPosition(new shared.Empty());
  return new streams.AppendResp().setSuccess(success);
}

export function appendedMessage({ revision, position }: AppendResult): AppendResp {
  const place = new streams.AppendResp.Position()
    .setCommitPosition(String(position))
    .setPreparePosition(String(position));
  const success = new streams.AppendResp.Success().setCurrentRevision(String(revision)).setPosition(place);
  return new streams.AppendResp().setSuccess(success);
}

export function wrongRevisionMessage(expected: ExpectedRevision, actual: number | null): AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual === null) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(actual));
  if (expected === 'any') wrong.setExpectedAny(new shared.Empty());
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new shared.Empty());
  else wrong.setExpectedRevision(String(expected));
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}
