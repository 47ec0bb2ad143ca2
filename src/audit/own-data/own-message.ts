import { bundledMessage, placeName, type BundledMessage } from '../cases/bundle/bundled-message.js';
import type { CoveredMessage } from '../cases/covered-messages.js';
import type { MessageLocation } from '../cases/message-locations.js';
import { namedPlace, type CaseNames } from '../cases/tasks/search-case.js';

/** Whose copy it is, and what they may see. */
interface OwnView {
  readonly userId: number;
  /** Channels whose topics the person may read. */
  readonly channelIds: ReadonlySet<number>;
}

/** Shown in place of others who changed or deleted the person's messages. */
const somebodyElse = { by_id: null, by_name: 'somebody else' } as const;

/** Shown in place of a channel that they may not know of. */
const UNSEEN = 'a channel that you cannot read';

/**
 * Returns the part of a message that its reader may receive. Of their own messages: every version, also after
 * deletion, but neither places that they may not see, nor who else moved or deleted it. Of other people's: the present
 * text of direct messages to them. Null: it is neither.
 */
export function ownMessage(message: CoveredMessage, names: CaseNames, view: OwnView): BundledMessage | null {
  const { senderId, locations, versions, deletedAt } = message;
  if (senderId !== view.userId) {
    const place = locations.at(-1)?.place;
    const isTheirs = place?.type === 'direct' && place.userIds.includes(view.userId);
    if (!isTheirs || deletedAt !== null) return null;
    return bundledMessage({ ...message, versions: versions.slice(-1) }, names);
  }
  const shown = locations.filter((location) => isSeen(location, view));
  const bundled = bundledMessage(message, names);
  const isLastSeen = shown.at(-1) === locations.at(-1);
  const words = shown.map(({ place }) => placeName(place, names));
  return {
    ...bundled,
    places: shown.map(({ place }) => namedPlace(place, names)),
    place_name: isLastSeen ? words.at(-1)! : UNSEEN,
    moved_from: isLastSeen ? words.slice(0, -1) : words,
    versions: bundled.versions.map((version) =>
      version.by_id === view.userId ? version : { ...version, ...somebodyElse },
    ),
    deleted: bundled.deleted && {
      ...bundled.deleted,
      ...(bundled.deleted.by_id !== view.userId && somebodyElse),
    },
  };
}

function isSeen({ place }: MessageLocation, { channelIds }: OwnView): boolean {
  return place.type === 'direct' || channelIds.has(place.channelId);
}
