import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

/** Created in the server's start code, because their dependencies are not Nest providers. */
const madeByHand = [
  'ErasePersonalRecords',
  'EraseMessages',
  'ErasePeople',
  'EraseSecurityRecords',
  'ScheduledBackups',
  'SealLog',
];

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`src/${file}`, 'utf8'));

/** The classes that implement an interface, with their decorators. */
function implementing(name: string): (readonly [className: string, decorators: string])[] {
  const pattern = new RegExp(String.raw`((?:^@.*\n)*)^export class (\w+) implements .*\b${name}\b`, 'gm');
  return sources
    .flatMap((source) => [...source.matchAll(pattern)])
    .map(([, decorators = '', className = '']) => [className, decorators] as const)
    .filter(([className]) => !madeByHand.includes(className));
}

describe('the work that goes on without requests', () => {
  it.each([
    ['Reactor', '@RunsAsReactor('],
    ['Job', '@RunsAsJob('],
  ])('is run, whatever context it stands in: every %s says %s', (name, mark) => {
    const classes = implementing(name);
    expect(classes.length).toBeGreaterThan(0);
    expect(classes.filter(([, decorators]) => !decorators.includes(mark))).toEqual([]);
  });
});
