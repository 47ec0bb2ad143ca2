import type { UploadEvent } from '../../uploads/events.js';
import { noClientEvent, type Translations } from '../translation.js';

/** Uploaded files. */
export const uploadTranslations: Translations<UploadEvent> = {
  FileUploaded: noClientEvent,
  UploadDeleted: noClientEvent,
};
