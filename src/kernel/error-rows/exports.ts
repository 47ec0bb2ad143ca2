import { badRequest, badRequestAbout } from './error-row.js';

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
