import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import type { ChangeFlagsInNarrowParameters } from './flags/flags.parameters.js';
import type { GetMessagesParameters } from './messages.parameters.js';
import type { FlagsPage } from './queries/flags.js';
import { parseAnchor, type Anchor } from './narrow/anchor.js';

/** The selected messages: those around an anchor, or those with these ids. */
export type MessageSelection =
  | {
      readonly type: 'range';
      readonly anchor: Anchor;
      readonly includeAnchor: boolean;
      readonly before: number;
      readonly after: number;
    }
  | { readonly type: 'ids'; readonly ids: readonly number[] };

/** How many messages one request returns at most. */
const MAXIMUM_PAGE = budgets.messagesOfRequest.max;

/**
 * The messages that the parameters of `GET /messages` select.
 *
 * @throws ApplicationError for a missing or forbidden combination of parameters, and for more than 5000
 * messages
 */
export function messageSelection(parameters: GetMessagesParameters): MessageSelection {
  const { message_ids: ids } = parameters;
  return ids === undefined ? rangeOf(parameters) : idsOf(parameters, ids);
}

/** The parameters that exclude each other, as the error names them, whichever of them were sent. */
const EXCLUSIVE = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';

function idsOf(parameters: GetMessagesParameters, ids: readonly number[]): MessageSelection {
  const { anchor, include_anchor, use_first_unread_anchor, num_before, num_after } = parameters;
  const isAroundAnchor =
    [anchor, include_anchor, use_first_unread_anchor].some((sent) => sent !== undefined) ||
    (num_before ?? 0) !== 0 ||
    (num_after ?? 0) !== 0;
  if (isAroundAnchor) throw failure('unsupportedParameterCombination', { parameters: EXCLUSIVE });
  if (ids.length > MAXIMUM_PAGE) throw tooMany();
  return { type: 'ids', ids };
}

function rangeOf(parameters: GetMessagesParameters): MessageSelection {
  const { num_before: before, num_after: after, include_anchor: includeAnchor = true } = parameters;
  const anchor = parameters.use_first_unread_anchor === true ? 'first_unread' : parameters.anchor;
  if (before === undefined) throw failure('missingParameter', { var_name: 'num_before' });
  if (after === undefined) throw failure('missingParameter', { var_name: 'num_after' });
  // No parameter is required by itself, so this is a general error for clients, not one about a missing
  // parameter.
  if (anchor === undefined) throw failure('anchorRequired');
  if (before + after > MAXIMUM_PAGE) throw tooMany();
  refuseWithoutAnchor(includeAnchor, before, after);
  return { type: 'range', anchor: parseAnchor(anchor, parameters.anchor_date), includeAnchor, before, after };
}

/**
 * The page of a narrow on which a flag is changed. Each side is cut to the number of messages that one
 * request may name.
 */
export function flagsPage(parameters: ChangeFlagsInNarrowParameters): FlagsPage {
  const { anchor, include_anchor: includeAnchor = true, num_before, num_after } = parameters;
  refuseWithoutAnchor(includeAnchor, num_before, num_after);
  const before = Math.min(num_before, Math.max(MAXIMUM_PAGE - num_after, MAXIMUM_PAGE / 2));
  const after = Math.min(num_after, MAXIMUM_PAGE - before);
  return { anchor: parseAnchor(anchor, parameters.anchor_date), includeAnchor, before, after };
}

function refuseWithoutAnchor(includeAnchor: boolean, before: number, after: number): void {
  if (!includeAnchor && before > 0 && after > 0) {
    throw failure('anchorNotAtEnd');
  }
}

function tooMany(): Error {
  return failure('tooManyMessagesRequested', { reason: MAXIMUM_PAGE });
}
