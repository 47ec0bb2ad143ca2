import { describe, expect, it } from '@jest/globals';
import { rowsIn } from '../bench/large/requester.js';
import { boundsWith, findingsTable, missedBound, verdictOf, type Finding } from '../bench/large/findings.js';

describe('The bounds of the large measurement', () => {
  it('leave room for the memory of what operators do, which no tolerance enlarges', () => {
    for (const tolerance of [1, 5]) {
      const { memory, memoryInTheEnd } = boundsWith(tolerance);
      // Measured on a million messages: docs/deploy.md.
      expect(missedBound('memory', 565, memory)).toEqual([]);
      expect(missedBound('memory', 750, memory)).toEqual(['MISSED: memory is to be at most 600']);
      expect(missedBound('memory', 750, memoryInTheEnd)).toEqual([]);
      expect(missedBound('memory', 900, memoryInTheEnd)).toEqual(['MISSED: memory is to be at most 850']);
    }
  });
});

describe('The verdict on the large measurement', () => {
  const good: Finding = { what: 'a page', result: '5 ms', others: '', missed: [] };

  it('tells what was slow from what did not succeed', () => {
    expect(verdictOf([good])).toEqual({ isWithin: true, hasSucceeded: true });
    const slow = { ...good, missed: missedBound('warm', 90, 20) };
    expect(verdictOf([good, slow])).toEqual({ isWithin: false, hasSucceeded: true });
    const refused = { ...good, failed: '400 No such event' };
    expect(verdictOf([refused, good])).toEqual({ isWithin: false, hasSucceeded: false });
    expect(findingsTable([slow, refused])).toMatch(
      /MISSED: warm is to be at most 20 \|\n.+\| FAILED: 400 No such event +\|$/,
    );
  });
});

describe('The rows of the large measurement', () => {
  it('are the sum of those of every kind of query in the metrics', () => {
    const metrics = [
      '# TYPE palimpsest_query_rows histogram',
      'palimpsest_query_rows_bucket{le="10",query="GetMessages"} 1',
      'palimpsest_query_rows_sum{query="GetMessages"} 5100',
      'palimpsest_query_rows_count{query="GetMessages"} 3',
      'palimpsest_query_rows_sum{query="GetLogPage"} 60',
    ];
    expect(rowsIn(metrics.join('\n'))).toBe(5_160);
    expect(rowsIn('')).toBe(0);
  });

  it('have a column, empty where none were counted', () => {
    const finding: Finding = { what: 'a page', result: '5 ms', rows: 101, others: '', missed: [] };
    const { rows: _rows, ...without } = finding;
    const [headings, , ...lines] = findingsTable([finding, without]).split('\n');
    expect(headings).toMatch(/^\| what +\| result \| rows \|/);
    expect(lines).toEqual([
      expect.stringMatching(/^\| a page \| 5 ms +\| 101 +\|/),
      expect.stringMatching(/^\| a page \| 5 ms +\| {6}\|/),
    ]);
  });
});
