import { describe, expect, it } from '@jest/globals';
import { growthOf, isFlat, quartersOf, type SoakSample } from '../bench/soak/quarters.js';

/** Forty samples of a hundred requests each; the slowest request takes the given time. */
function run(
  megabytes: (place: number) => number,
  slowest: (place: number) => number,
): readonly SoakSample[] {
  return Array.from({ length: 40 }, (_, place) => ({
    seconds: (place + 1) * 90,
    megabytes: megabytes(place),
    latencies: Array.from({ length: 100 }, (__, request) => (request < 98 ? 5 : slowest(place))),
  }));
}

describe('A soak', () => {
  it('compares the last quarter with the second: the first warms up', () => {
    const samples = run(
      (place) => (place < 10 ? 900 : place < 30 ? 300 : 330),
      (place) => (place < 10 ? 900 : 20),
    );
    expect(quartersOf(samples)).toEqual({
      second: { megabytes: 300, p99: 20 },
      last: { megabytes: 330, p99: 20 },
    });
    expect(isFlat(growthOf(samples), { memory: 1, latency: 1 })).toBe(true);
  });

  it.each([
    [
      'memory',
      run(
        (place) => 300 + 5 * place,
        () => 20,
      ),
    ],
    [
      'latency',
      run(
        () => 300,
        (place) => (place < 30 ? 20 : 31),
      ),
    ],
  ])('is not flat when %s grows', (_what, samples) => {
    expect(isFlat(growthOf(samples), { memory: 1, latency: 1 })).toBe(false);
    expect(isFlat(growthOf(samples), { memory: 10, latency: 10 })).toBe(true);
  });

  it('tolerates slow requests of a busy machine without tolerating more memory', () => {
    const allowed = { memory: 1, latency: 2 };
    expect(isFlat({ megabytes: 1.1, p99: 1.9 }, allowed)).toBe(true);
    expect(isFlat({ megabytes: 1.2, p99: 1.9 }, allowed)).toBe(false);
    expect(isFlat({ megabytes: 1.1, p99: 2.1 }, allowed)).toBe(false);
  });

  it('says nothing of a run that was too short', () => {
    expect(() => quartersOf([])).toThrow('too short');
  });
});
