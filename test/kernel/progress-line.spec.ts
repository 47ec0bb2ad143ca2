import { expect, it } from '@jest/globals';
import { byPosition, ProgressLine } from '../../src/cli/progress-line.js';
import { RebuildShare } from '../../src/cli/projections/rebuild-share.js';
import { versionLabel } from '../../src/operations/projection-report.js';

/** A progress line with a fake output and clock. */
function lineAt(total: number | null): {
  line: ProgressLine;
  at: (milliseconds: number) => void;
  said: string[];
} {
  let now = 0;
  const said: string[] = [];
  const output = { write: (text: string) => said.push(text) };
  const line = new ProgressLine({ output, label: 'Rebuilding', total, now: () => now });
  return { line, said, at: (milliseconds) => (now = milliseconds) };
}

it('a share is shown as a percentage with the remaining time, for any unit', () => {
  const { line, at, said } = lineAt(null);
  line.set(0, 0.2);
  at(10_000);
  line.set(5_000, 0.4);
  expect(said).toEqual([`Rebuilding  [##########${' '.repeat(14)}] 40%  5,000  500/s  0:30 left\n`]);
});

it('positions are no count: a store may number its events by bytes', () => {
  const { line, at, said } = lineAt(1_000);
  const reach = byPosition(line, 1_000);
  reach(200);
  at(10_000);
  reach(400);
  expect(said).toEqual([`Rebuilding  [##########${' '.repeat(14)}] 40%  0:30 left\n`]);
});

it('a total tells them as well, and nothing of the kind where there is neither', () => {
  const known = lineAt(400);
  known.at(10_000);
  known.line.set(100);
  expect(known.said).toEqual([`Rebuilding  [######${' '.repeat(18)}] 25%  100 of 400  10/s  0:30 left\n`]);
  const unknown = lineAt(null);
  unknown.at(10_000);
  unknown.line.set(100);
  expect(unknown.said).toEqual(['Rebuilding  100  10/s\n']);
});

it('the share of several rebuilds counts each model alike, and those that have ended as done', () => {
  const done = new RebuildShare(4);
  expect(done.share).toBe(0);
  done.note({ projection: 'messages', position: 50 }, 200);
  done.note({ projection: 'flags', position: null }, 200);
  done.note({ projection: 'mail', position: 900 }, 200);
  expect(done.share).toBe(1.25 / 4);
  done.finishBut([{ projection: 'flags', position: null }]);
  expect(done.share).toBe(2 / 4);
  done.note({ projection: 'uploads', position: 1 }, null);
  expect(done.share).toBe(2 / 4);
});

it('versions are shown as people count them', () => {
  expect([null, 4, 8_012, 3_000_004, 12_008_012].map(versionLabel)).toEqual([
    'none yet',
    '4',
    '8.12',
    '4 (rebuild 3)',
    '8.12 (rebuild 12)',
  ]);
});
