import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

/** Every Markdown page of the repository. */
async function pages(): Promise<readonly string[]> {
  const docs = await readdir('docs', { recursive: true });
  const own = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
  return [...own, ...docs.filter((name) => name.endsWith('.md')).map((name) => join('docs', name))];
}

/** A page without its code, in which brackets are no links. */
function withoutCode(page: string): string {
  return page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
}

describe('The documents', () => {
  it('link to pages that exist', async () => {
    const broken: string[] = [];
    for (const page of await pages()) {
      const text = withoutCode(await readFile(page, 'utf8'));
      const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#]+)/g)];
      const missing = links.filter(([, link]) => !existsSync(join(dirname(page), link!)));
      broken.push(...missing.map(([, link]) => `${page}: ${link}`));
    }
    expect(broken).toEqual([]);
  });

  it('show every picture that is taken for them', async () => {
    const all = await Promise.all((await pages()).map((page) => readFile(page, 'utf8')));
    const text = all.join('\n');
    const pictures = await readdir('docs/images');
    expect(pictures.length).toBeGreaterThan(10);
    expect(pictures.filter((name) => !new RegExp(`images/${name}[)"]`).test(text))).toEqual([]);
  });

  it('name files and folders that exist', async () => {
    const wrong: string[] = [];
    for (const page of (await pages()).filter((one) => !one.startsWith(join('docs', 'adr')))) {
      const named = [
        ...(await readFile(page, 'utf8')).matchAll(/`((?:src|test|projections|deploy|docs)\/[\w./-]+)`/g),
      ];
      const missing = named.filter(([, path]) => !existsSync(path!));
      wrong.push(...missing.map(([, path]) => `${page}: ${path}`));
    }
    expect(wrong).toEqual([]);
  });

  it('have an index of every decision', async () => {
    const decisions = (await readdir('docs/adr')).filter((name) => /^\d{4}-/.test(name));
    const index = await readFile('docs/adr/README.md', 'utf8');
    expect(decisions.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  it('say in the index and on both pages which decision supersedes another', async () => {
    const index = await readFile('docs/adr/README.md', 'utf8');
    const rows = [...index.matchAll(/^\| \[\d+\. .*\]\((\d{4}-\S+\.md)\) +\| [\d-]+ \| (.*?) *\|$/gm)];
    const names = (await readdir('docs/adr')).filter((name) => /^\d{4}-/.test(name)).sort();
    expect(rows.map(([, name]) => name)).toEqual(names);
    const number = (name: string): string => String(Number(name.slice(0, 4)));
    for (const [, name, status] of rows) {
      const lines = (await readFile(join('docs/adr', name!), 'utf8')).split('\n');
      const by = /^Superseded by \[\d+\]\((\S+?)\)( where)?/.exec(lines[2]!);
      const part = by?.[2] === undefined ? '' : ' in part';
      expect(status).toBe(by === null ? 'accepted' : `superseded${part} by [${number(by[1]!)}](${by[1]})`);
      if (by === null) continue;
      const newer = await readFile(join('docs/adr', by[1]!), 'utf8');
      expect(newer).toContain(`\nSupersedes [${number(name!)}](${name})`);
    }
    const all = await Promise.all(names.map((name) => readFile(join('docs/adr', name), 'utf8')));
    expect(all.filter((text) => /^Supersedes /m.test(text))).toHaveLength(
      rows.filter(([, , status]) => status !== 'accepted').length,
    );
  });
});
