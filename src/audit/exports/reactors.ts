import { Injectable } from '@nestjs/common';
import { RunsAsReactor } from '../../../projections/engine/background-work.js';
import type { Reactor } from '../../../projections/engine/reactor.js';
import { DirectoryFollower } from '../../access/directory-follower.js';
import { NoticeSender } from '../../contexts/channels/notices.js';
import { PublicAddress } from '../../http/public-address.js';
import { ExportCompleted, ExportDeleted, ExportFailed, type ExportType } from '../../events/exports.js';
import { budgets } from '../../kernel/budgets.js';
import { isEvent, type Recorded } from '../../kernel/event.js';
import { on } from '../../kernel/event-handlers.js';
import { FoldedStreams } from '../../stores/event-store/folded-streams.js';
import { ExportFiles } from './export-files.js';
import { exportUrl } from './exports.replies.js';
import { exportOf, foldedExports } from './exports.state.js';

const DAY = 86_400_000;

/** The name of each type of export in a sentence. */
const typeWords: Readonly<Record<ExportType, string>> = {
  public: 'public data',
  full_with_consent: 'public data, and of the private data of those who consent',
  full_without_consent: 'everything',
};

/** Sends the person who requested an export a direct message about its result. */
@Injectable()
@RunsAsReactor()
export class NotifyExportRequester implements Reactor {
  readonly name = 'tell-export-requester';
  readonly on = on([ExportCompleted, ExportFailed], (event) => this.notify(event));

  constructor(
    private readonly streams: FoldedStreams,
    private readonly follower: DirectoryFollower,
    private readonly notices: NoticeSender,
    private readonly address: PublicAddress,
  ) {}

  private async notify(event: Recorded<typeof ExportCompleted | typeof ExportFailed>): Promise<void> {
    const { state } = await this.streams.load(foldedExports);
    const found = exportOf(state, event.data.exportId);
    if (found === null || this.follower.current().user(found.userId)?.isActive !== true) return;
    const what = `Your export of ${typeWords[found.type]}`;
    const content = isEvent(event, ExportFailed)
      ? `${what} failed: ${failureWords[event.data.fault]}.`
      : `${what} is ready: ${this.placeOf(event)}`;
    await this.notices.send({ to: { userIds: [found.userId] }, content, causationId: event.id });
  }

  private placeOf({ data, metadata: { at } }: Recorded<typeof ExportCompleted>): string {
    const { exportId, missingFiles, damagedEvents } = data;
    const until = new Date(at + budgets.exportDays.max * DAY).toISOString();
    const lacking = [
      ...(missingFiles === 0 ? [] : [` ${missingFiles} uploads are not there any more, and are left out.`]),
      ...(damagedEvents === 0 ? [] : [` ${damagedEvents} events in it are damaged.`]),
    ];
    return `[download it](${exportUrl(exportId, this.address.url)}) with your API key, until <time:${until}>.${lacking.join('')}`;
  }
}

const failureWords = {
  'too large': 'there is more than one file may hold',
  'took too long': `it took longer than ${budgets.exportMinutes.max} minutes`,
  'failed again and again': 'something went wrong, which operators find in the log of the server',
} as const;

/** Removes the file of a deleted export and destroys its key. Repeating it changes nothing. */
@Injectable()
@RunsAsReactor()
export class RemoveExportFiles implements Reactor {
  readonly name = 'remove-export-files';
  readonly on = on(ExportDeleted, ({ data: { file } }) =>
    this.files.destroy({ name: file.storageName, contentKey: file.contentKey }),
  );

  constructor(private readonly files: ExportFiles) {}
}
