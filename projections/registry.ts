import { attentionProjection } from './attention.projection.js';
import { devicesProjection } from './devices.projection.js';
import { auditIndexProjection } from './audit-index.projection.js';
import { directoryProjection } from './directory.projection.js';
import type { Projection } from './engine/projection.js';
import { flagsProjection } from './flags.projection.js';
import { invitationsProjection } from './invitations.projection.js';
import { mailProjection } from './mail.projection.js';
import { messagesProjection } from './messages.projection.js';
import { missedMessagesProjection } from './missed-messages.projection.js';
import { personalProjection } from './personal.projection.js';
import { uploadsProjection } from './uploads.projection.js';

/** All read models of the application. A test checks that each event type has a handler here or declares that it needs none. */
export const projections: readonly Projection[] = [
  directoryProjection,
  messagesProjection,
  flagsProjection,
  personalProjection,
  attentionProjection,
  mailProjection,
  uploadsProjection,
  invitationsProjection,
  devicesProjection,
  missedMessagesProjection,
  auditIndexProjection,
];
