import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Actor } from '../../src/access/actor.js';
import type { User } from '../../src/access/records/user.js';
import { StagedFiles } from '../../src/audit/cases/bundle/staged-files.js';
import { exportObject } from '../../src/audit/exports/exports.replies.js';
import {
  decideCompleteExport,
  decideDeleteExport,
  decideDownloadExport,
  decideExpireExport,
  decideFailExport,
  decideRequestExport,
  decideStartExport,
} from '../../src/audit/exports/exports.decide.js';
import {
  expiredExports,
  exportsFold,
  nextPending,
  type Exports,
} from '../../src/audit/exports/exports.state.js';
import { EXPORTS_STREAM, type ExportEvent } from '../../src/events/exports.js';
import { budgets } from '../../src/kernel/budgets.js';
import { atTheTime, refusal, TestLog } from '../support/given.js';
import { TestOrganization } from '../support/organization.js';

const DAY = 86_400_000;
const little = { messages: 9, uploadBytes: 0 };
const file = { name: '2/exports/one', contentKey: 'key', size: 7 };
const made = { sha256: '0'.repeat(64), messages: 3, missingFiles: 0, damagedEvents: 0 };
const attempt = { exportId: 1, storageName: file.name };

/** The state of the exports after events. */
class Story {
  private readonly log = new TestLog();

  happens(events: readonly ExportEvent[], at = atTheTime): this {
    this.log.append(EXPORTS_STREAM, events, { at });
    return this;
  }

  get exports(): Exports {
    return this.log.fold(exportsFold, EXPORTS_STREAM);
  }
}

function actor(role: User['role'], allowed = false): Actor {
  const organization = new TestOrganization({ owner_full_content_access: allowed });
  return { user: organization.user(organization.register({ role })), snapshot: organization.snapshot() };
}

const [owner, administrator, moderator, member, guest] = ([100, 200, 300, 400, 600] as const).map((role) =>
  actor(role),
) as [Actor, Actor, Actor, Actor, Actor];

function ask(exports: Exports, by: Actor, type: 'public' | 'full_without_consent' = 'public') {
  return decideRequestExport(exports, { type, size: little }, by);
}

function requested(): Story {
  return new Story().happens(ask(new Story().exports, administrator));
}

function completed(): Story {
  const story = requested();
  story.happens(decideStartExport(story.exports, attempt));
  return story.happens(decideCompleteExport(story.exports, 1, { made, file }));
}

describe('asking for an export', () => {
  it('is for administrators', () => {
    const none = new Story().exports;
    for (const by of [owner, administrator]) expect(ask(none, by)).toHaveLength(1);
    for (const by of [moderator, member, guest])
      expect(refusal(() => ask(none, by))).toBe('administratorRequired');
  });

  it('of everything is for owners, where the organization allows it', () => {
    const none = new Story().exports;
    const everything = (by: Actor) => (): unknown => ask(none, by, 'full_without_consent');
    expect(refusal(everything(owner))).toBe('fullExportNotAllowed');
    expect(refusal(everything(actor(100, true)))).toBeNull();
    expect(refusal(everything(actor(200, true)))).toBe('ownerRequired');
    expect(refusal(everything(actor(400, true)))).toBe('administratorRequired');
  });

  it('is done so often in a week, whatever came of the others', () => {
    const story = new Story();
    for (let count = 0; count < budgets.exportsOfWeek.max; count += 1)
      story.happens(ask(story.exports, administrator), administrator.snapshot.now - DAY);
    expect(refusal(() => ask(story.exports, owner))).toBe('tooManyExports');
    const later = { ...owner, snapshot: { ...owner.snapshot, now: owner.snapshot.now + 6 * DAY } };
    expect(ask(story.exports, later)).toEqual([
      { type: 'ExportRequested', data: { exportId: 6, userId: owner.user.id, exportType: 'public' } },
    ]);
  });

  it('is refused where there is more than one file may hold', () => {
    const none = new Story().exports;
    const sized = (messages: number, uploadBytes: number, type: 'public' | 'full_without_consent') => () =>
      decideRequestExport(none, { type, size: { messages, uploadBytes } }, actor(100, true));
    const { max } = budgets.exportMessages;
    const bytes = budgets.exportMebibytes.max * 1_048_576;
    expect(refusal(sized(max, bytes, 'full_without_consent'))).toBeNull();
    expect(refusal(sized(max + 1, 0, 'public'))).toBe('exportTooLarge');
    expect(refusal(sized(1, bytes + 1, 'full_without_consent'))).toBe('exportTooLarge');
    expect(refusal(sized(1, bytes + 1, 'public'))).toBeNull();
  });
});

describe('making an export', () => {
  it('is begun again after an attempt that came to nothing, ever later, and so often', () => {
    const story = requested();
    let now = atTheTime;
    const pauses: number[] = [];
    for (let count = 0; count < budgets.exportAttempts.max; count += 1) {
      expect(nextPending(story.exports, now)?.id).toBe(1);
      const storageName = `2/exports/${count}`;
      story.happens(decideStartExport(story.exports, { exportId: 1, storageName }), now);
      expect(nextPending(story.exports, now)).toBeNull();
      const { notBefore } = story.exports.known[0]!;
      pauses.push(notBefore - now);
      now = notBefore;
    }
    expect(pauses).toEqual([5_000, 25_000, 125_000]);
    expect(decideStartExport(story.exports, attempt)).toEqual([
      { type: 'ExportFailed', data: { exportId: 1, fault: 'failed again and again' } },
    ]);
  });

  it('is completed by the last attempt alone, once', () => {
    const story = requested();
    story.happens(decideStartExport(story.exports, { exportId: 1, storageName: '2/exports/cut-off' }));
    story.happens(decideStartExport(story.exports, attempt));
    const late = { ...file, name: '2/exports/cut-off' };
    expect(decideCompleteExport(story.exports, 1, { made, file: late })).toEqual([]);
    expect(decideFailExport(story.exports, { exportId: 1, storageName: late.name }, 'took too long')).toEqual(
      [],
    );
    const completion = decideCompleteExport(story.exports, 1, { made, file });
    expect(completion).toHaveLength(1);
    story.happens(completion);
    expect(decideCompleteExport(story.exports, 1, { made, file })).toEqual([]);
    expect(decideStartExport(story.exports, attempt)).toEqual([]);
    expect(nextPending(story.exports, Infinity)).toBeNull();
  });

  it('is shown with the state of the export', () => {
    const told = ({ exports }: Story): object => exportObject(exports.known[0]!, 'https://chat.example.com');
    const begun = atTheTime / 1000;
    const pending = {
      id: 1,
      acting_user_id: administrator.user.id,
      export_time: begun,
      export_url: null,
      deleted_timestamp: null,
      failed_timestamp: null,
      pending: true,
      export_type: 'public',
    };
    const url = 'https://chat.example.com/api/v1/export/realm/1/file';
    expect(told(requested())).toEqual(pending);
    expect(told(completed())).toEqual({ ...pending, pending: false, export_url: url });
    const deleted = completed();
    deleted.happens(decideDeleteExport(deleted.exports, 1, owner));
    expect(told(deleted)).toEqual({ ...pending, pending: false, deleted_timestamp: begun });
    const failed = requested();
    failed.happens(decideStartExport(failed.exports, attempt));
    failed.happens(decideFailExport(failed.exports, attempt, 'too large'));
    expect(told(failed)).toEqual({ ...pending, pending: false, failed_timestamp: begun });
  });
});

describe('the file of an export', () => {
  it('is deleted by administrators, once, and only when it is there', () => {
    const story = completed();
    expect(refusal(() => decideDeleteExport(story.exports, 1, moderator))).toBe('administratorRequired');
    expect(refusal(() => decideDeleteExport(story.exports, 2, owner))).toBe('noSuchExport');
    expect(refusal(() => decideDeleteExport(requested().exports, 1, owner))).toBe('exportPending');
    const deletion = decideDeleteExport(story.exports, 1, administrator);
    const { name: storageName, contentKey } = file;
    expect(deletion).toEqual([
      { type: 'ExportDeleted', data: { exportId: 1, isExpired: false, file: { storageName, contentKey } } },
    ]);
    story.happens(deletion);
    expect(refusal(() => decideDeleteExport(story.exports, 1, owner))).toBe('exportDeleted');
    expect(refusal(() => decideDownloadExport(story.exports, 1, owner))).toBe('exportDeleted');
  });

  it('of one that failed is not there', () => {
    const story = requested();
    story.happens(decideStartExport(story.exports, attempt));
    story.happens(decideFailExport(story.exports, attempt, 'took too long'));
    for (const decide of [decideDeleteExport, decideDownloadExport])
      expect(refusal(() => decide(story.exports, 1, owner))).toBe('exportFailed');
  });

  it('is downloaded by whoever may ask for it at that time', () => {
    const { exports } = completed();
    for (const by of [owner, administrator]) expect(decideDownloadExport(exports, 1, by)).toHaveLength(1);
    for (const by of [moderator, member, guest])
      expect(refusal(() => decideDownloadExport(exports, 1, by))).toBe('administratorRequired');
    const everything = { ...exports.known[0]!, type: 'full_without_consent' as const };
    const download = (by: Actor) => (): unknown =>
      decideDownloadExport({ ...exports, known: [everything] }, 1, by);
    expect(refusal(download(actor(100, true)))).toBeNull();
    expect(refusal(download(actor(200, true)))).toBe('ownerRequired');
    expect(refusal(download(owner))).toBe('fullExportNotAllowed');
  });

  it('is removed when it has been kept long enough, once', () => {
    const story = completed();
    const end = atTheTime + budgets.exportDays.max * DAY;
    expect(expiredExports(story.exports, end - 1)).toEqual([]);
    expect(expiredExports(story.exports, end).map(({ id }) => id)).toEqual([1]);
    const removal = decideExpireExport(story.exports, 1);
    expect(removal).toMatchObject([{ type: 'ExportDeleted', data: { isExpired: true } }]);
    story.happens(removal, end);
    expect(expiredExports(story.exports, end)).toEqual([]);
    expect(decideExpireExport(story.exports, 1)).toEqual([]);
  });
});

it('Only the newest exports are known, up to a maximum number, and no id is used twice', () => {
  const story = new Story();
  const { max } = budgets.exportsListed;
  for (let exportId = 1; exportId <= max + 1; exportId += 1)
    story.happens([{ type: 'ExportRequested', data: { exportId, userId: 3, exportType: 'public' } }]);
  const { known, nextId } = story.exports;
  expect(known.map(({ id }) => id)).toEqual(Array.from({ length: max }, (_, index) => index + 2));
  expect(nextId).toBe(max + 2);
});

it('The files of an export are no larger than the budget allows', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'palimpsest-export-'));
  const staged = new StagedFiles(folder, 10, 'exportTooLarge');
  await staged.write('small', '0123456789');
  await expect(staged.write('small', '0')).rejects.toMatchObject({ row: budgets.exportMebibytes.over });
  await staged.close();
  await rm(folder, { recursive: true });
});
