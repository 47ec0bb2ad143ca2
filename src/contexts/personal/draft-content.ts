import { hasMetadataAccess } from '../../access/channel-permissions.js';
import type { Snapshot } from '../../access/snapshot.js';
import { toSeconds } from '../../kernel/clock.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { normalizeContent, normalizeTopic } from '../../events/values/message-text.js';
import { refuseTooManyPeople } from '../messages/sending/recipients.js';
import type { User } from '../../access/records/user.js';
import type { DraftSaved } from '../../events/personal.js';

/** A draft as a request describes it. */
export interface DraftRequest {
  readonly type: '' | 'stream' | 'channel' | 'private' | 'direct';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  /** Seconds since the UNIX epoch; undefined: now. */
  readonly timestamp: number | undefined;
}

/** The stored content of a draft. */
export type DraftContent = Omit<EventOf<typeof DraftSaved>['data'], 'draftId'>;

/** The writer, and the time. */
interface Drafting {
  readonly snapshot: Snapshot;
  readonly writer: User;
}

/**
 * The stored content of a draft: its type is `stream` or `private`, whichever synonym was sent.
 *
 * @throws ApplicationError for an empty text, for addressees that do not exist or are too many, and for a draft to a channel
 * without exactly one channel
 */
export function draftContent(request: DraftRequest, drafting: Drafting): DraftContent {
  const content = normalizeContent(request.content);
  if (content === '') throw failure('messageEmpty');
  const timestamp = Math.floor(request.timestamp ?? toSeconds(drafting.snapshot.now));
  if (timestamp < 0) throw failure('negativeTimestamp');
  return { userId: drafting.writer.id, ...addressOf(request, drafting), content, timestamp };
}

function addressOf(
  { type, to, topic }: DraftRequest,
  drafting: Drafting,
): Pick<DraftContent, 'type' | 'to' | 'topic'> {
  switch (type) {
    case 'stream':
    case 'channel':
      return { type: 'stream', to: [channelIn(to, drafting)], topic: normalizeTopic(topic) };
    case 'private':
    case 'direct':
      return { type: 'private', to: peopleIn(to, drafting), topic: '' };
    case '':
      return { type: '', to: [], topic: normalizeTopic(topic) };
  }
}

function channelIn(to: readonly number[], { snapshot, writer }: Drafting): number {
  const [channelId, another] = to;
  if (channelId === undefined || another !== undefined) {
    throw failure('draftChannelRequired');
  }
  const channel = snapshot.directory.channel(channelId);
  if (channel === null || !hasMetadataAccess(snapshot, writer, channel)) throw failure('invalidChannel');
  return channelId;
}

function peopleIn(to: readonly number[], { snapshot }: Drafting): number[] {
  const userIds = [...new Set(to)];
  refuseTooManyPeople(userIds);
  for (const userId of userIds) {
    if (snapshot.directory.user(userId) === null) {
      throw failure('invalidUserId', { reason: userId });
    }
  }
  return userIds;
}
