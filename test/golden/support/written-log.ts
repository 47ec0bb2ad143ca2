import type { CommandLine, JsonLine } from '../../support/command-line.js';
import { prettyJson } from './pretty-json.js';

/** Events that background work appends at varying times. */
const UNTIMED = new Set(['MailSent', 'MissedMessagesMailed', 'MissedMessagesPassed']);

/**
 * The events of the session, by stream: the sentence for auditors, the cause of the event, and its data.
 *
 * @param tool the command line on the data directory of the session's server
 */
export async function writtenLog(tool: CommandLine): Promise<string> {
  const [events, table] = await Promise.all([tool.json('audit', 'log'), tool.must('audit', 'log')]);
  const sentences = new Map(
    [...table.matchAll(/^ *(\d+) {2}(.*)$/gm)].map(([, position, sentence]) => [Number(position), sentence]),
  );
  const places = new Map(events.map((event) => [event['id'] as string, placeOf(event)]));
  return events
    .filter((event) => !UNTIMED.has(event['type'] as string) && !isOfCommandLine(event))
    .sort(byStream)
    .map((event) => {
      const { actorId, client, causationId } = event['metadata'];
      const cause =
        causationId === null ? '' : ` because of ${places.get(causationId as string) ?? 'what is not here'}`;
      return [
        `=== ${placeOf(event)} ${sentences.get(event['position'] as number) ?? 'without a sentence'}`,
        `by ${actorId ?? 'the server'} with ${client || 'no program'}${cause}${event['erased'] ? ', erased' : ''}`,
        prettyJson(event['data']),
      ].join('\n');
    })
    .join('\n');
}

/** Audits on the command line are recorded with the operating system's account, which varies. */
function isOfCommandLine({ type, data }: JsonLine): boolean {
  return type === 'LogAudited' && data['operator'] !== null;
}

function placeOf({ stream, revision }: JsonLine): string {
  return `${stream}@${revision}`;
}

function byStream(left: JsonLine, right: JsonLine): number {
  const order = (left['stream'] as string).localeCompare(right['stream'] as string, 'en', { numeric: true });
  return order || (left['revision'] as number) - (right['revision'] as number);
}
