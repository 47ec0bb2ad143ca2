import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

const page = readFileSync('SECURITY.md', 'utf8');
const sections = page.split(/^### /m).slice(1);

describe('SECURITY.md', () => {
  it('names tests that are there', () => {
    const named = [...page.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file!);
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(sections.map((section) => [section.split('\n', 1)[0]!, section]))(
    'pins "%s" by a test',
    (_title, section) => {
      expect(section).toMatch(/`test\/[^`]+\.spec\.ts`/);
    },
  );
});
