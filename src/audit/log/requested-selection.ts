import { roles } from '../../access/records/roles.js';
import type { Directory } from '../../access/directory.js';
import { failure } from '../../kernel/errors.js';
import type { AuditRecord } from '../commands/audit-access.decide.js';
import type { ReadLogParameters } from '../audit.parameters.js';
import type { LogSelection } from './log-selection.js';
import type { Role } from '../../events/users.js';
import { standardTopic } from '../../events/values/message-text.js';
import { readMoment, type PastMoment } from '../moment.js';

/** Resolves names in requests. */
export interface NameLookup {
  readonly directory: Directory;
  readonly emailDigest: (email: string) => string;
}

/** A request for the log, in the form that is read and in the form that is recorded. */
export interface RequestedSelection {
  readonly selection: LogSelection;
  readonly recorded: AuditRecord['selection'];
  /** Other parameters that are recorded. */
  readonly asked: RequestedFilters;
}

/** After the end of every log. */
export const endOfLog: PastMoment = { position: Number.MAX_SAFE_INTEGER };

type RequestedFilters = Readonly<Record<string, string | number>>;

/** The record of a request without filters. */
export const wholeLog: AuditRecord['selection'] = {
  stream: null,
  type: null,
  actorId: null,
  byServer: false,
  messageId: null,
  channelId: null,
  after: null,
  from: null,
  to: null,
  viewerId: null,
};

/**
 * Parses the filters of GET /audit/log.
 *
 * @throws ApplicationError for an invalid moment, an unknown person, channel or message, and for filters that
 * contradict each other
 */
export function requestedSelection(parameters: ReadLogParameters, lookup: NameLookup): RequestedSelection {
  const { stream, type, message_id: messageId, channel_id: channelId, after } = parameters;
  refuseContradictions(parameters);
  const actor = actorIn(parameters, lookup);
  const from = momentIn('from', parameters.from);
  const to = momentIn('to', parameters.to);
  const further = furtherFilters(parameters, lookup);
  return {
    selection: {
      ...(stream !== undefined && { streams: [stream] }),
      ...(type !== undefined && { types: namesIn(type) }),
      ...(actor !== undefined && { actorIds: new Set([actor]) }),
      ...(messageId !== undefined && { messageId }),
      ...(channelId !== undefined && { channelId }),
      ...further.selection,
      ...rangeOf(parameters, { from, to }),
    },
    recorded: {
      ...wholeLog,
      stream: stream ?? null,
      type: type ?? null,
      actorId: actor ?? null,
      byServer: actor === null,
      messageId: messageId ?? null,
      channelId: channelId ?? null,
      after: after ?? null,
      from,
      to,
    },
    asked: further.asked,
  };
}

function refuseContradictions({
  after,
  before,
  newest_first: isNewestFirst,
  ...names
}: ReadLogParameters): void {
  const isContradictory = isNewestFirst === true ? after !== undefined : before !== undefined;
  if (isContradictory) throw failure('contradictoryLogOrder');
  if (names.topic !== undefined && names.channel_id === undefined) throw failure('topicWithoutChannel');
}

/** The filters by topic, person concerned, role and content, which the index of the log serves. */
function furtherFilters(
  { channel_id: channelId, topic, about, role, content, before }: ReadLogParameters,
  lookup: NameLookup,
): Pick<RequestedSelection, 'selection' | 'asked'> {
  const aboutId = about === undefined ? undefined : personNamed(about, lookup);
  return {
    selection: {
      ...(topic !== undefined && { topic: { channelId: channelId!, topic: standardTopic(topic) } }),
      ...(aboutId !== undefined && { aboutId }),
      ...(role !== undefined && { roles: namesIn(role).map(knownRole) }),
      ...(content !== undefined && { content }),
    },
    asked: {
      ...(topic !== undefined && { topic }),
      ...(aboutId !== undefined && { aboutId }),
      ...(role !== undefined && { role }),
      ...(content !== undefined && { content }),
      ...(before !== undefined && { before }),
    },
  };
}

/** The range of the log to read, both ends included. */
function rangeOf(
  { after, before }: ReadLogParameters,
  { from, to }: Record<'from' | 'to', PastMoment | null>,
): LogSelection {
  const begins = Math.max(
    after === undefined ? 0 : after + 1,
    from !== null && 'position' in from ? from.position : 0,
  );
  const ends = Math.min(
    before === undefined ? Infinity : before - 1,
    to !== null && 'position' in to ? to.position : Infinity,
  );
  return {
    ...(begins > 0 && { from: begins }),
    ...(ends < Infinity && { through: ends }),
    ...(from !== null && 'time' in from && { since: from.time }),
    ...(to !== null && 'time' in to && { until: to.time }),
  };
}

/** The names of a list that is separated by commas, each once. */
function namesIn(list: string): readonly string[] {
  return [...new Set(list.split(','))];
}

/** @throws ApplicationError `noSuchRole` */
function knownRole(name: string): Role {
  if (!Object.hasOwn(roles, name)) throw failure('noSuchRole', { reason: name });
  return roles[name as keyof typeof roles];
}

/** Finds the account with an id or an e-mail address. @throws ApplicationError `noSuchUser` */
export function personNamed(named: string, { directory, emailDigest }: NameLookup): number {
  const user = /^\d{1,15}$/.test(named)
    ? directory.user(Number(named))
    : directory.findByEmailDigest(emailDigest(named));
  if (user === null) throw failure('noSuchUser');
  return user.id;
}

/** Undefined: any actor; null: the server itself. */
function actorIn(
  { actor, actor_id: actorId }: ReadLogParameters,
  lookup: NameLookup,
): number | null | undefined {
  if (actor === undefined) return actorId;
  const named = actor === 'server' ? null : personNamed(actor, lookup);
  if (actorId !== undefined && actorId !== named) {
    throw failure('confusingParameter', { var_name1: 'actor', var_name2: 'actor_id' });
  }
  return named;
}

/** @throws ApplicationError `invalidMoment` */
export function momentIn(name: string, text: string | undefined): PastMoment | null {
  if (text === undefined) return null;
  const moment = readMoment(text);
  if (moment === null) throw failure('invalidMoment', { reason: name });
  return moment;
}
