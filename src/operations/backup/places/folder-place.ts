import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { missing, type BackupPlace } from './place.js';

/** Opens a place in a folder that only the server's own user can read. */
export function openFolderPlace(address: string): BackupPlace {
  return new FolderPlace(resolve(address));
}

class FolderPlace implements BackupPlace {
  constructor(readonly address: string) {}

  async put(name: string, file: string): Promise<void> {
    const target = join(this.address, name);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    const draft = `${target}.part`;
    await copyFile(file, draft);
    await sync(draft, { mode: 0o600 });
    await rename(draft, target);
    await sync(dirname(target));
  }

  read(name: string): Promise<Readable> {
    const file = join(this.address, name);
    return existsSync(file)
      ? Promise.resolve(createReadStream(file))
      : Promise.reject(missing(this.address, name));
  }

  async list(folder: string): Promise<readonly string[]> {
    const directory = join(this.address, folder);
    if (!existsSync(directory)) return [];
    const entries = await readdir(directory, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map((entry) => relative(this.address, join(entry.parentPath, entry.name)));
  }

  async delete(name: string): Promise<void> {
    await rm(join(this.address, name), { force: true });
  }
}

async function sync(path: string, { mode }: { readonly mode?: number } = {}): Promise<void> {
  await using handle = await open(path, 'r');
  if (mode !== undefined) await handle.chmod(mode);
  await handle.sync();
}
