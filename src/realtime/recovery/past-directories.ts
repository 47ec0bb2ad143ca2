import { directoryEventTypes, isDirectoryEvent } from '../../access/directory-event-types.js';
import type { DirectoryFollower } from '../../access/directory-follower.js';
import { Directory } from '../../access/directory.js';
import { budgets } from '../../kernel/budgets.js';
import { TimeSlice } from '../../runtime/time-slice.js';
import type { EventLog } from '../../stores/event-store/event-log.js';

/** What {@link PastDirectories} depend on. */
export interface PastDirectoriesOptions {
  readonly log: EventLog;
  readonly follower: Pick<DirectoryFollower, 'current'>;
  /** The lowest position that may still be needed; null: unknown. */
  readonly earliest: () => Promise<number | null>;
}

/** How long a folded directory is kept for further calls, in milliseconds. */
const CACHE_LIFETIME = 10 * 60_000;

/** How many events are folded before other requests get their turn. */
const PAGE = 256;

const types = [...directoryEventTypes];

/** The directory as of earlier log positions, folded from the log between requests. */
export class PastDirectories {
  /** The directory at the lowest folded position. */
  private base: Directory | null = null;
  private expiry: NodeJS.Timeout | undefined;

  constructor(private readonly options: PastDirectoriesOptions) {}

  /** The directory as of a position; null: too many events led to it to fold them. One call at a time. */
  async at(position: number): Promise<Directory | null> {
    const present = await this.presentAsOf(position);
    if (present !== null) return present;
    const base = await this.baseBefore(position);
    if (base === null) return null;
    const directory = base.copy();
    return (await this.fold(directory, position)) ? directory : null;
  }

  /** Drops the folded directories: they may contain somebody who is being erased. */
  forget(): void {
    clearTimeout(this.expiry);
    this.base = null;
  }

  /** The present directory, if none of its events has happened since a position; else null. */
  private async presentAsOf(position: number): Promise<Directory | null> {
    const { follower } = this.options;
    for (;;) {
      const { position: later } = follower.current();
      if (!(await this.isSame(later, position))) return null;
      const present = follower.current().copy();
      if (present.position === later) return present;
    }
  }

  private async isSame(later: number | null, position: number): Promise<boolean> {
    if (later === null || later <= position) return true;
    const pages = this.options.log.store.readAll({ after: position, types, pageSize: 1 });
    for await (const { events } of pages) {
      const [next] = events;
      if (next !== undefined) return next.position > later;
    }
    return true;
  }

  private async baseBefore(position: number): Promise<Directory | null> {
    if (this.base === null || (this.base.position ?? -1) > position) {
      const earliest = (await this.options.earliest()) ?? position;
      const base = new Directory();
      if (!(await this.fold(base, Math.min(earliest, position)))) return null;
      this.base = base;
    }
    clearTimeout(this.expiry);
    this.expiry = setTimeout(() => this.forget(), CACHE_LIFETIME).unref();
    return this.base;
  }

  /** @returns false when there are more events than may be folded */
  private async fold(directory: Directory, through: number): Promise<boolean> {
    const { log } = this.options;
    const slice = new TimeSlice();
    let folded = 0;
    for await (const page of log.store.readAll({ after: directory.position, types, pageSize: PAGE })) {
      const events = await log.decode(page.events.filter(({ position }) => position <= through));
      folded += events.length;
      if (folded > budgets.directoryEventsFolded.max) return false;
      for (const event of events) if (isDirectoryEvent(event)) directory.apply(event);
      if (events.length < page.events.length) return true;
      if (slice.isOver) await slice.next();
    }
    return true;
  }
}
