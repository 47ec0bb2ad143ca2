import type { ErasureEvent } from '../../events/erasure.js';
import type { MailEvent } from '../../events/mail.js';
import type { AuditEvent } from '../../events/audit.js';
import type { CaseEvent, CaseScope } from '../../events/cases.js';
import type { ModelOperation, OperationEvent } from '../../events/operations.js';
import type { Sentences, EventFormatter, SentenceTable } from './event-formatter.js';
import { counted, listed, plain, quoted, settingName, timeOf } from './wording.js';

type Audited = Extract<AuditEvent, { type: 'LogAudited' }>['data'];

/** What auditors read, by view. */
const viewed: Readonly<Record<Audited['view'], string>> = {
  log: 'the log',
  'log-export': 'the whole log, to export it',
  history: 'the history of a message',
  audience: 'who could see a message',
  readers: 'who has read a message',
  conversation: 'a conversation as it was',
  'conversation-changes': 'what changed a conversation',
  comparison: 'what differs between two moments of a conversation',
  seals: 'the seals of the log',
  'tree-head': 'the signed tree head of the log',
  'proof-bundle': 'a proof bundle',
  'proof-download': 'the proof bundle that was made last',
  verification: 'the result of a verification of the log',
  event: 'an event of the log as it is stored',
  past: 'what the API would have answered in the past',
  person: 'what happened to an account',
  channel: 'what happened to a channel',
  'case-size': 'how much a case covers',
  'case-search': 'what a search in a case found',
  'case-export': 'everything that a case covers, to export it',
  'case-download': 'the bundle of a case',
};

const DIFFERING_DOCUMENTS = 'documents of a read model that differ from those of a rebuilt one';

/** What was read. The verification of a read model names it; that of the log names none. */
function whatWasRead({ view, asked: further = {} }: Audited): string {
  return view === 'verification' && 'projection' in further ? DIFFERING_DOCUMENTS : viewed[view];
}

type Further = NonNullable<Audited['asked']>;

/** A parameter other than the selection, by its name; ids are replaced by names. */
function named(name: string, value: Further[string], format: EventFormatter): string {
  if (typeof value === 'number' && (name === 'aboutId' || name === 'userId'))
    return `about ${format.person(value)}`;
  if (typeof value === 'number' && name === 'channelId') return `channel ${format.channel(value)}`;
  if (typeof value === 'string' && name === 'eventId') return `event ${plain(value)}`;
  return `${settingName(name)} ${format.value(value)}`;
}

function asked({ view, selection, asked: further = {}, text }: Audited, format: EventFormatter): string {
  const { stream, type, actorId, byServer, messageId, channelId, viewerId } = selection;
  const parts = [
    ...(stream === null ? [] : [`stream ${quoted(stream)}`]),
    ...(type === null ? [] : [`type ${quoted(type)}`]),
    ...(actorId === null ? [] : [`what ${format.person(actorId)} did`]),
    ...(byServer ? ['what the server did'] : []),
    ...(messageId === null ? [] : [`message ${messageId}`]),
    ...(channelId === null ? [] : [`channel ${format.channel(channelId)}`]),
    ...(viewerId === null ? [] : [`as ${format.person(viewerId)} could see it`]),
    ...Object.entries(further).map(([name, value]) => named(name, value, format)),
    ...(text === undefined ? [] : [`${view === 'past' ? 'query' : 'words'} ${quoted(text)}`]),
  ];
  return parts.length === 0 ? '' : ` (${listed(parts)})`;
}

/** Seals, tags, and accesses to the log. */
const auditSentences: Sentences<AuditEvent> = {
  LogSealed: ({ size }) => `The server sealed the log up to here: ${size} events.`,
  TaggingStarted: ({ from }) =>
    `The server began to tag events under a key${from === null ? '' : ` from ${plain(from.stream)}@${from.revision} on`}.`,
  LogAudited: (audited, format) => {
    const { userId, operator } = audited;
    const who = operator === null ? format.person(userId) : `The operator ${plain(operator)}`;
    const how = operator === null ? 'over HTTP' : 'on the command line';
    return `${who} read ${whatWasRead(audited)} ${how}${asked(audited, format)}.`;
  },
};

function holdsOf(caseIds: readonly number[]): string {
  const cases = caseIds.length === 1 ? 'case' : 'cases';
  return `the legal hold on ${cases} ${listed(caseIds.map(String))} covers it`;
}

const orders: Readonly<Record<ModelOperation, (model: string) => string>> = {
  rebuild: (model) => `the read model ${model} to be rebuilt`,
  verify: (model) => `the read model ${model} to be compared with one that is rebuilt`,
  rollback: (model) => `the previous version of the read model ${model} to serve again`,
  drop: (model) => `the versions of the read model ${model} that do not serve to be removed`,
  pause: (model) => `the read model ${model} to be paused`,
  resume: (model) => `the read model ${model} to be resumed`,
  retry: (model) => `the event at which ${model} is halted to be tried again`,
  discard: (model) => `the event at which ${model} is halted to be discarded`,
  restore: (model) => `the discarded events of ${model} to be restored`,
  'drop-snapshots': () => 'the snapshots of streams to be removed',
};

/** Actions of operators. */
const operationSentences: Sentences<OperationEvent> = {
  ModelOperationOrdered: ({ operation, projection, operator }, format) => {
    const who = operator === null ? format.actor : `The operator ${plain(operator)}`;
    return `${who} ordered ${orders[operation](projection === null ? '' : plain(projection))}.`;
  },
};

const erasureSentences: Sentences<ErasureEvent> = {
  MessageErased: ({ messageId }) => `The text of message ${messageId} was erased permanently.`,
  MessageErasureDeferred: ({ messageId, caseIds }) =>
    `The text of message ${messageId} was kept, though it was deleted: ${holdsOf(caseIds)}.`,
  SecurityRecordsErased: ({ count }) =>
    `The server erased the network addresses and programs of log-ins and keys in ${counted(count, 'event')}: the time for which the organization keeps them is over.`,
  PersonErasureRefused: ({ userId, caseIds }, format) =>
    `${format.person(userId)} was not erased: ${holdsOf(caseIds)}.`,
  BelongingErasureDeferred: ({ stream, revision, caseIds }) =>
    `What ${plain(stream)}@${revision} deleted was kept: ${holdsOf(caseIds)}.`,
  BelongingErased: ({ stream, revision }) =>
    `What ${plain(stream)}@${revision} deleted, and a legal hold kept, was erased permanently.`,
  PersonErasureRequested: ({ userId, operator }, format) =>
    `${operator === null ? 'An operator' : `The operator ${plain(operator)}`} asked for ${format.person(userId)} to be erased.`,
  PersonErased: ({ userId }, format) =>
    `${format.person(userId)} was erased: their personal data and everything that they wrote cannot be read any more.`,
};

type Operated = { readonly operator: string | null };

function whoOf({ operator }: Operated, format: EventFormatter): string {
  return operator === null ? format.actor : `The operator ${plain(operator)}`;
}

function coverage(scope: CaseScope, words: string | null, format: EventFormatter): string {
  const { userIds, channelIds, since, until } = scope;
  const parts = [
    ...(userIds.length === 0 ? [] : [`by or with ${format.people(userIds)}`]),
    ...(channelIds.length === 0 ? [] : [`in ${format.channels(channelIds)}`]),
    ...(since === null ? [] : [`since ${timeOf(since)}`]),
    ...(until === null ? [] : [`until ${timeOf(until)}`]),
    ...(words === null ? [] : [`with the words ${quoted(words)}`]),
  ];
  return `${parts.length === 0 ? 'all messages' : `messages ${parts.join(' ')}`}`;
}

const caseSentences: Sentences<CaseEvent> = {
  CaseCreated: (data, format) =>
    `${whoOf(data, format)} began case ${data.caseId}, ${quoted(data.name)}: ${coverage(data.scope, data.words, format)}.`,
  CaseChanged: (data, format) =>
    `${whoOf(data, format)} changed case ${data.caseId}, now ${quoted(data.name)}: ${coverage(data.scope, data.words, format)}.`,
  CaseHoldPlaced: (data, format) =>
    `${whoOf(data, format)} placed a legal hold on case ${data.caseId}: ${coverage(data.scope, data.words, format)} stay readable for auditors even if somebody deletes them.`,
  CaseHoldLifted: (data, format) => `${whoOf(data, format)} lifted the legal hold on case ${data.caseId}.`,
  CaseClosed: (data, format) => `${whoOf(data, format)} closed case ${data.caseId}.`,
};

const mailSentences: Sentences<MailEvent> = {
  MailSent: ({ letterId }) => `An e-mail was sent because of event ${letterId}.`,
  MailPostponed: ({ letterId, retryAt, reason }) =>
    `An e-mail because of event ${letterId} could not be sent (${plain(reason)}) and is tried again at ${timeOf(retryAt)}.`,
  MailAbandoned: ({ letterId, reason }) =>
    `An e-mail because of event ${letterId} was given up (${plain(reason)}).`,
};

/** The tables of this file. */
export const serverTables: readonly SentenceTable[] = [
  auditSentences,
  operationSentences,
  erasureSentences,
  caseSentences,
  mailSentences,
];
