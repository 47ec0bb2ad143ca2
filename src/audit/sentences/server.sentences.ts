import type { ErasureEvent } from '../../events/erasure.js';
import type { MailEvent } from '../../events/mail.js';
import type { AuditEvent } from '../../events/audit.js';
import type { Sentences, Teller } from './teller.js';
import { listed, plain, quoted, timeOf } from './wording.js';

type Selection = Extract<AuditEvent, { type: 'LogAudited' }>['data']['selection'];

function asked(selection: Selection, told: Teller): string {
  const { stream, type, actorId, byServer, messageId, channelId, viewerId } = selection;
  const parts = [
    ...(stream === null ? [] : [`stream ${quoted(stream)}`]),
    ...(type === null ? [] : [`type ${quoted(type)}`]),
    ...(actorId === null ? [] : [`what ${told.person(actorId)} did`]),
    ...(byServer ? ['what the server did'] : []),
    ...(messageId === null ? [] : [`message ${messageId}`]),
    ...(channelId === null ? [] : [`channel ${told.channel(channelId)}`]),
    ...(viewerId === null ? [] : [`as ${told.person(viewerId)} could see it`]),
  ];
  return parts.length === 0 ? '' : ` (${listed(parts)})`;
}

/** The log itself. */
export const auditSentences: Sentences<AuditEvent> = {
  LogSealed: ({ size }) => `The server sealed the log up to here: ${size} events.`,
  TaggingStarted: ({ from }) =>
    `The server began to tag events under a key${from === null ? '' : ` from ${plain(from.stream)}@${from.revision} on`}.`,
  LogAudited: ({ userId, view, selection }, told) =>
    `${told.person(userId)} read ${view === 'log' ? 'the log' : 'the history of a message'} over HTTP${asked(selection, told)}.`,
};

/** What is made unreadable for good. */
export const erasureSentences: Sentences<ErasureEvent> = {
  MessageErased: ({ messageId }) => `The text of message ${messageId} was made unreadable for good.`,
  PersonErasureRequested: ({ userId, operator }, told) =>
    `${operator === null ? 'An operator' : `The operator ${plain(operator)}`} asked for ${told.person(userId)} to be erased.`,
  PersonErased: ({ userId }, told) =>
    `Who ${told.person(userId)} was and what they wrote was made unreadable for good.`,
};

/** E-mails. */
export const mailSentences: Sentences<MailEvent> = {
  MailSent: ({ letterId }) => `An e-mail was sent because of event ${letterId}.`,
  MailPostponed: ({ letterId, retryAt, reason }) =>
    `An e-mail because of event ${letterId} could not be sent (${plain(reason)}) and is tried again at ${timeOf(retryAt)}.`,
  MailAbandoned: ({ letterId, reason }) =>
    `An e-mail because of event ${letterId} was given up (${plain(reason)}).`,
};
