import { hasMetadataAccess } from '../../../access/channel-permissions.js';
import type { Snapshot } from '../../../access/snapshot.js';
import type { Channel } from '../../../access/records/channel.js';
import type { User } from '../../../access/records/user.js';
import { channelHistory, messageAccess } from '../../../contexts/messages/access.js';
import type { Placements } from '../../../contexts/messages/placements.js';
import type { MessageDocument } from '../../../contexts/messages/message-document.js';

/** The people whose permissions decide what an export contains. */
interface ExportViewers {
  readonly snapshot: Snapshot;
  readonly placements: Placements;
  /** People who let administrators export what they may read. Empty: only what every member may read is exported. */
  readonly consenting: readonly User[];
}

/** What is exported of a channel: every message, or only those that one of these people received. */
type ExportedHistory = 'all' | readonly User[];

/**
 * Decides what an export contains: what every member may read, and what one of those who consent may. It applies the
 * same rules as reading does.
 */
export class ExportedPlaces {
  private readonly consentingIds: ReadonlySet<number>;
  /** By channel id. */
  private readonly histories = new Map<number, ExportedHistory>();

  constructor(private readonly viewers: ExportViewers) {
    this.consentingIds = new Set(viewers.consenting.map(({ id }) => id));
  }

  /** Whether the export contains the channel itself, with its name. */
  holdsChannel(channel: Channel): boolean {
    const { snapshot, consenting } = this.viewers;
    return isOpenToMembers(channel) || consenting.some((user) => hasMetadataAccess(snapshot, user, channel));
  }

  holdsMessage(message: MessageDocument): boolean {
    const { snapshot, placements } = this.viewers;
    const { channelId, participantIds } = message;
    if (channelId === null) return participantIds?.some((id) => this.consentingIds.has(id)) === true;
    const channel = snapshot.directory.channel(channelId);
    if (channel === null) return false;
    const history = this.historyOf(channel);
    if (history === 'all') return true;
    return history.some((user) => messageAccess({ snapshot, user, placements }, message) !== 'none');
  }

  private historyOf(channel: Channel): ExportedHistory {
    const known = this.histories.get(channel.id);
    if (known !== undefined) return known;
    const history = isOpenToMembers(channel) ? 'all' : this.historyOfConsenting(channel);
    this.histories.set(channel.id, history);
    return history;
  }

  private historyOfConsenting(channel: Channel): ExportedHistory {
    const { snapshot, consenting } = this.viewers;
    const readers = consenting.map((user) => ({ user, history: channelHistory(snapshot, user, channel) }));
    if (readers.some(({ history }) => history === 'all')) return 'all';
    return readers.flatMap(({ user, history }) => (history === 'none' ? [] : [user]));
  }
}

/** Whether every member may read all of a channel. */
function isOpenToMembers({ privacy }: Channel): boolean {
  return !privacy.inviteOnly && privacy.historyPublicToSubscribers;
}
