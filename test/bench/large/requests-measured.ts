import { median, secondsOf } from '../support/rounds.js';
import type { Requester, TimedReply, TimedRequest } from './requester.js';
import { bystanderKinds, maxWait, type Bystanders, type Meanwhile } from './bystanders.js';
import { missedBound, rounded, type Bounds, type Finding } from './findings.js';
import type { HeavyRequest } from './heavy-requests.js';
import type { MeasuredNarrow } from './narrows.js';

/** What measurements of requests need. */
export interface Measuring {
  readonly requester: Requester;
  readonly bystanders: Bystanders;
  /** The bystanders' results when nobody else used the server. */
  readonly idle: Meanwhile;
  readonly bounds: Bounds;
  /** A send that tests whether the server accepts writes. */
  readonly smallSend: TimedRequest;
  /** Id of a message in the middle of the conversation. */
  readonly middle: number;
}

const WARM_TIMES = 5;

/**
 * Times the newest page of a narrow, the first and the later requests, and a page from the middle of the
 * conversation.
 */
export async function measureNarrow(narrow: MeasuredNarrow, measuring: Measuring): Promise<Finding> {
  const { requester, bystanders, bounds, middle } = measuring;
  const newest = pageOf(narrow, { anchor: 'newest', num_before: 100, num_after: 0 });
  const around = pageOf(narrow, { anchor: middle, num_before: 50, num_after: 50 });
  await bystanders.take();
  const { result: first, rows } = await requester.countingRows(() => requester.ask(newest));
  const again = await withLock(requester, newest, WARM_TIMES);
  const there = await requester.ask(around);
  const meanwhile = await bystanders.take();
  const warm = median(again.map(({ milliseconds }) => milliseconds));
  const inTime = narrow.isIndexed
    ? [
        ...missedBound('the first time', first.milliseconds, bounds.first),
        ...missedBound('warm', warm, bounds.warm),
      ]
    : [];
  const refusal = refusalOf([first, ...again, there]);
  return {
    what: narrow.what,
    result: `first ${rounded(first.milliseconds)} ms, warm ${rounded(warm)} ms, in the middle ${rounded(there.milliseconds)} ms, ${sizeOf(first)}`,
    rows,
    others: othersOf(meanwhile),
    missed: [...inTime, ...missedByOthers(meanwhile, measuring)],
    ...(refusal !== null && { failed: refusal }),
  };
}

/** Times a heavy request, which is repeated as often as it specifies. */
export async function measureHeavy(heavy: HeavyRequest, measuring: Measuring): Promise<Finding> {
  const { requester, bystanders } = measuring;
  const requests = await heavy.prepare(requester);
  await bystanders.take();
  const replies: TimedReply[] = [];
  const times: number[] = [];
  const once = async (): Promise<void> => {
    const start = performance.now();
    replies.push(...(await Promise.all(requests.map((request) => requester.ask(request)))));
    times.push(performance.now() - start);
  };
  const { rows } = await requester.countingRows(once);
  while (times.length < heavy.times) await once();
  const refusing = await secondsOf(async () => void (await requester.insist(measuring.smallSend)));
  const meanwhile = await bystanders.take();
  const [first = 0, ...again] = times;
  const refusal = refusalOf(replies);
  const warm = again.length === 0 ? '' : `, warm ${rounded(median(again))} ms`;
  return {
    what: heavy.what,
    // An attack may be refused.
    result: `${refusal === null ? '' : `${refusal}; `}first ${rounded(first)} ms${warm}, ${sizeOf(replies[0]!)}`,
    rows,
    others: othersOf(meanwhile),
    missed: [
      ...missedByOthers(meanwhile, measuring),
      ...missedBound(
        'the next write (ms)',
        refusing * 1_000,
        maxWait(measuring.idle) + measuring.bounds.othersLonger,
      ),
    ],
  };
}

/** The results of each bystander. */
export function othersOf({ longest, failed }: Meanwhile): string {
  const waits = longest.map(
    (wait, index) => `${bystanderKinds[index]!} ${wait === null ? '-' : rounded(wait)}`,
  );
  return `${waits.join(', ')} ms${failed === 0 ? '' : `, ${failed} FAILED`}`;
}

/** The bounds that the bystanders' reply times exceed. */
export function missedByOthers(
  meanwhile: Meanwhile,
  { idle, bounds }: Pick<Measuring, 'idle' | 'bounds'>,
): readonly string[] {
  const atMost = maxWait(idle) + bounds.othersLonger;
  return [
    ...missedBound('what others wait', maxWait(meanwhile), atMost),
    ...(meanwhile.failed > 0 ? [`MISSED: ${meanwhile.failed} requests of others failed`] : []),
  ];
}

function pageOf({ terms }: MeasuredNarrow, place: Readonly<Record<string, unknown>>): TimedRequest {
  return { method: 'GET', path: 'messages', parameters: { ...place, narrow: terms } };
}

async function withLock(
  requester: Requester,
  request: TimedRequest,
  times: number,
): Promise<readonly TimedReply[]> {
  const replies: TimedReply[] = [];
  for (let time = 0; time < times; time += 1) replies.push(await requester.ask(request));
  return replies;
}

/** The first refusal among replies; null: there is none. */
function refusalOf(replies: readonly TimedReply[]): string | null {
  const refused = replies.find(({ status }) => status !== 200);
  if (refused === undefined) return null;
  const message = /"msg":"([^"]{0,60})/.exec(refused.text())?.[1] ?? '';
  return `${refused.status} ${message}`;
}

function sizeOf({ bytes }: TimedReply): string {
  return `${rounded(bytes / 1000)} kB`;
}
