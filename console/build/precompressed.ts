import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const compressible = /\.(js|css|html|svg)$/;

/** Writes each file of the console once more by Brotli and gzip, so that the server compresses nothing while it answers. */
export function precompressed(): Plugin {
  let directory = '';
  return {
    name: 'precompressed',
    apply: 'build',
    configResolved: ({ build }) => {
      directory = build.outDir;
    },
    closeBundle: async () => {
      const names = await readdir(directory, { recursive: true });
      const files = names.filter((name) => compressible.test(name)).map((name) => join(directory, name));
      await Promise.all(files.map(compress));
    },
  };
}

async function compress(file: string): Promise<void> {
  const content = await readFile(file);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [small, older] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, older)]);
}
