import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiDocument } from '../support/api-document.js';
import { commandLines } from './session/command-lines.js';
import { parts } from './session/parts.js';
import { expectGolden } from './support/golden-file.js';
import { prettyJson } from './support/pretty-json.js';
import { Recorder } from './support/recorder.js';
import { owner, type Part } from './support/steps.js';
import { SessionServer } from './support/session-server.js';

/**
 * The seconds from the start of one part to the start of the next: they are fixed, so that an additional request in
 * one part changes no times in the others.
 */
const SECONDS_OF_PART = 12;

/** The actors of the session with an event queue, which the first part registers. */
const listeners = ['ada', 'guest', 'bot', 'owner'] as const;

let session: SessionServer;
let recorder: Recorder;

beforeAll(async () => {
  session = await SessionServer.start();
  recorder = new Recorder(session);
});

afterAll(async () => {
  await session.stop();
});

describe('The recorded session', () => {
  it.each(parts.map((part) => [part.name, part] as const))('%s is as before', async (name, part) => {
    await recorder.moveClock(parts.indexOf(part) * SECONDS_OF_PART);
    const records = await recordsOf(part);
    expectGolden(`session/${name}.txt`, records.join('\n\n'));
  });

  it('leaves the same events in the log', async () => {
    expectGolden('log.txt', await recorder.recordLog());
  });

  it('is shown by the command line as before', async () => {
    const records = await Promise.all(commandLines.map((words) => recorder.recordCommand(words)));
    expectGolden('session/12-command-line.txt', records.join('\n\n'));
  });
});

/** The requests and replies of a part of the session, and the client events meanwhile. */
async function recordsOf({ name, steps, leavesQueues = false }: Part): Promise<readonly string[]> {
  const records: string[] = [];
  for (const step of steps) {
    try {
      records.push(await recorder.record(step));
    } catch (error) {
      throw new Error(`The step after this one failed:\n${records.at(-1)}`, { cause: error });
    }
  }
  if (leavesQueues) return records;
  const end = `The end of ${name}`;
  records.push(await recorder.record(owner.patch('realm', { description: end })));
  for (const listener of listeners) records.push(await recorder.recordToldUntil(listener, end));
  return records;
}

interface OpenApi {
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describe('The OpenAPI document', () => {
  let document: OpenApi;
  let described: ApiDocument;

  beforeAll(async () => {
    described = await ApiDocument.of(session.server.site);
    document = (await (await fetch(`${session.server.site}/api/docs-json`)).json()) as OpenApi;
  });

  it('is as before', () => {
    const tags = [...document.tags].sort((left, right) => (left.name < right.name ? -1 : 1));
    const text = prettyJson({ ...document, tags });
    expectGolden('openapi.json', text.replaceAll(session.server.site, 'http://server'));
  });

  it('has no operation that the session does not try', () => {
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => [verb.toUpperCase(), path] as const),
    );
    const untried = operations.filter(([verb, path]) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      return !recorder.sent.some((sent) => sent.verb === verb && pattern.test(sent.path));
    });
    expect(operations.length).toBeGreaterThan(150);
    expect(untried).toEqual([]);
  });

  it('has no operation that answers another to nobody', async () => {
    const answers: string[] = [];
    for (const [path, item] of Object.entries(document.paths).sort(([left], [right]) =>
      left < right ? -1 : 1,
    )) {
      for (const verb of Object.keys(item).sort())
        answers.push(await recorder.recordNobody(verb.toUpperCase(), path));
    }
    expectGolden('session/13-nobody.txt', answers.join('\n'));
  });

  // The last test, because it takes seconds, in which idle connections would be closed.
  it('has a schema for what every operation answers', () => {
    const without = described.operations.filter((operation) => {
      const [success] = Object.entries(described.responses(operation)).filter(([status]) =>
        /^[23]/.test(status),
      );
      const schemas = Object.values(success?.[1].content ?? {}).map(({ schema }) => schema);
      const hasBody = !operation.startsWith('HEAD') && !['204', '302'].includes(success?.[0] ?? '');
      return hasBody && (schemas.length === 0 || schemas.includes(undefined));
    });
    expect(without).toEqual([]);
  });

  it('describes everything that the session was answered', () => {
    expect(recorder.sent.length).toBeGreaterThan(600);
    expect(recorder.sent.flatMap((reply) => described.faultsOfReply(reply))).toEqual([]);
  });

  it('lists every error that the session was given', () => {
    expect(recorder.sent.filter(({ status }) => status >= 400).length).toBeGreaterThan(100);
    expect(recorder.sent.flatMap((reply) => described.faultsOfError(reply))).toEqual([]);
  });

  it('describes everything that clients were told', () => {
    expect(recorder.told.length).toBeGreaterThan(400);
    expect(recorder.told.flatMap((event) => described.faultsOfEvent(event))).toEqual([]);
  });
});
