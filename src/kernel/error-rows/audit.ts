import { badRequest, badRequestAbout, row } from './error-row.js';

/** Errors of cases: what auditors collect, preserve and export. */
export const caseErrors = {
  noSuchCase: row('NOT_FOUND', 404, 'There is no such case'),
  caseClosed: badRequest('The case is closed: it can be read, and not changed any more'),
  caseHeld: badRequest('A legal hold stands on this case: lift it first'),
  caseChangedMeanwhile: row(
    'BAD_REQUEST',
    409,
    'Somebody has changed the case meanwhile: read it again, then change it',
  ),
  caseTaskRuns: row(
    'RATE_LIMIT_HIT',
    429,
    'Something that you asked for about a case is being done already: wait until it has ended, or end it',
  ),
  caseBundleTooLarge: badRequest(
    'The case is too large for one bundle: make cases of its parts, such as of one channel or month each',
  ),
  caseTaskUnfinished: badRequest(
    'There is no bundle to download: the task is no export, or has not ended well',
  ),
  noSuchCaseTask: row('NOT_FOUND', 404, 'There is no such task, or it is not remembered any more'),
  tooManyCases: badRequest('The organization has too many cases.'),
  caseScopeTooWide: badRequestAbout((max) => `A case names at most ${max} people and channels`),
  caseScopeBackwards: badRequest('The time of a case ends before it begins'),
  tooManyCaseWords: badRequestAbout((max) => `There are more than ${max} words`),
  vagueCaseWords: badRequest('None of these words tells one text from another'),
  ownDataRuns: row(
    'RATE_LIMIT_HIT',
    429,
    'A copy of your data is being made already: wait until it has ended, or end it',
  ),
  noOwnData: row('NOT_FOUND', 404, 'There is no copy of your data, or it is not kept any more'),
  ownDataUnfinished: badRequest('The copy of your data is not ready, or could not be made'),
  ownDataTooLarge: badRequest('There is more than one file can hold: ask whoever operates this server'),
} as const;

export const exportErrors = {
  tooManyExports: badRequestAbout((max) => `At most ${max} exports may be asked for in seven days.`),
  exportTooLarge: badRequest(
    'There is more to export than one file may hold: ask an operator for "palimpsest audit export".',
  ),
  fullExportNotAllowed: badRequest(
    'This organization does not let its owners export everything without the consent of its people.',
  ),
  noSuchExport: badRequest('Invalid data export ID'),
  exportPending: badRequest('This export is still being made.'),
  exportFailed: badRequest('This export failed: it has no file.'),
  exportDeleted: badRequest('The file of this export is deleted already.'),
} as const;
