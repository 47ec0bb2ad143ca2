import type { Actor } from '../../access/actor.js';
import type { DraftSaved, DraftChanged, DraftDeleted, DraftsDiscarded } from '../../events/personal.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { EventOf } from '../../kernel/event.js';
import { idAtRevision } from '../../kernel/ids.js';
import { draftContent, type DraftContent, type DraftRequest } from './draft-content.js';
import type { Drafts } from './drafts.state.js';

/** @throws ApplicationError `tooManyDrafts` */
export function decideSaveDrafts(
  { ids, nextRevision }: Drafts,
  contents: readonly DraftContent[],
): readonly EventOf<typeof DraftSaved>[] {
  if (ids.size + contents.length > budgets.drafts.max) throw failure('tooManyDrafts');
  return contents.map((content, index) => ({
    type: 'DraftSaved',
    data: { ...content, draftId: idAtRevision(nextRevision + index) },
  }));
}

/** @throws ApplicationError `noSuchDraft` */
export function decideChangeDraft(
  { ids }: Drafts,
  draftId: number,
  content: DraftContent,
): readonly EventOf<typeof DraftChanged>[] {
  if (!ids.has(draftId)) throw failure('noSuchDraft');
  return [{ type: 'DraftChanged', data: { ...content, draftId } }];
}

/** @throws ApplicationError `noSuchDraft` */
export function decideDeleteDraft(
  { ids }: Drafts,
  { userId, draftId }: { readonly userId: number; readonly draftId: number },
): readonly EventOf<typeof DraftDeleted>[] {
  if (!ids.has(draftId)) throw failure('noSuchDraft');
  return [{ type: 'DraftDeleted', data: { userId, draftId } }];
}

/** @throws ApplicationError `draftsNotKept` if the person turned synchronization of drafts off */
export function assertDraftsKept({ user, snapshot }: Actor): void {
  if (!snapshot.directory.settings.value(user.id, 'enable_drafts_synchronization'))
    throw failure('draftsNotKept');
}

/** @throws ApplicationError those of {@link assertDraftsKept} and {@link draftContent} */
export function keptContent(request: DraftRequest, actor: Actor): DraftContent {
  assertDraftsKept(actor);
  return draftContent(request, { snapshot: actor.snapshot, writer: actor.user });
}

/** Deletes all drafts; no events when there are none. */
export function decideDiscardDrafts(
  { ids }: Drafts,
  userId: number,
): readonly EventOf<typeof DraftsDiscarded>[] {
  const draftIds = Array.from(ids.entries(), ([id]) => id).sort((a, b) => a - b);
  return draftIds.length === 0 ? [] : [{ type: 'DraftsDiscarded', data: { userId, draftIds } }];
}
