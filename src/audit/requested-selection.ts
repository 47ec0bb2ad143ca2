import type { Directory } from '../access/directory.js';
import { failure } from '../kernel/errors.js';
import type { Audit } from './commands/note-audit.js';
import type { ReadLogParameters } from './dto/read-log.parameters.js';
import type { LogSelection } from './log-selection.js';
import { readMoment, type PastMoment } from './moment.js';

/** What names in requests are looked up in. */
export interface NameLookup {
  readonly directory: Directory;
  readonly emailDigest: (email: string) => string;
}

/** What a request for the log asks for, as it is read and as it is recorded. */
export interface RequestedSelection {
  readonly selection: LogSelection;
  readonly recorded: Audit['selection'];
}

/** What is recorded of a request that narrows nothing down. */
export const wholeLog: Audit['selection'] = {
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
 * Reads the filters of GET /audit/log.
 *
 * @throws ApplicationError for a moment that is none, for nobody, and for two different actors
 */
export function requestedSelection(parameters: ReadLogParameters, lookup: NameLookup): RequestedSelection {
  const { stream, type, message_id: messageId, channel_id: channelId, after } = parameters;
  const actor = actorIn(parameters, lookup);
  const from = momentIn('from', parameters.from);
  const to = momentIn('to', parameters.to);
  const begins = Math.max(
    after === undefined ? 0 : after + 1,
    from !== null && 'position' in from ? from.position : 0,
  );
  return {
    selection: {
      ...(stream !== undefined && { streams: [stream] }),
      ...(type !== undefined && { types: [type] }),
      ...(actor !== undefined && { actorIds: new Set([actor]) }),
      ...(messageId !== undefined && { messageId }),
      ...(channelId !== undefined && { channelId }),
      ...(begins > 0 && { from: begins }),
      ...(from !== null && 'time' in from && { since: from.time }),
      ...(to !== null && ('time' in to ? { until: to.time } : { through: to.position })),
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
  };
}

/**
 * The account that an id or an e-mail address names.
 *
 * @throws ApplicationError `noSuchUser`
 */
export function personNamed(named: string, { directory, emailDigest }: NameLookup): number {
  const user = /^\d{1,15}$/.test(named)
    ? directory.user(Number(named))
    : directory.userByEmailDigest(emailDigest(named));
  if (user === null) throw failure('noSuchUser');
  return user.id;
}

/** Undefined: whoever acted; null: the server. */
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

function momentIn(name: string, text: string | undefined): PastMoment | null {
  if (text === undefined) return null;
  const moment = readMoment(text);
  if (moment === null) throw failure('invalidMoment', { reason: name });
  return moment;
}
