import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { inclusionFault, inclusionSchema } from '../../sealing/proof-bundle.js';
import { isSigned } from '../../sealing/signed-tree-head.js';
import { fingerprint } from '../../sealing/signing-key.js';
import { manifestSchema, names, type Manifest, type ManifestEntry } from './format.js';

/** Result of checking the bundle of a case without the log. */
export interface CheckedCaseBundle {
  readonly claim: Manifest['claim'];
  /** Fingerprint of the key that signed it. */
  readonly signer: string;
  /** Whether the caller said who must have signed it. Anybody can sign a log of their own. */
  readonly isSignerKnown: boolean;
  /** How many stored events are proven to be in the log. */
  readonly proven: number;
  readonly faults: readonly string[];
}

/** Maximum size of a manifest in bytes, far above any real one. */
const MAX_MANIFEST = 256 * 1_048_576;

/** Maximum number of faults that are reported. */
const MAX_FAULTS = 100;

/** Whether a file begins like a ZIP file. @throws the error of the file system */
export async function isZipFile(file: string): Promise<boolean> {
  await using handle = await open(file, 'r');
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50;
}

/**
 * Checks the bundle of a case: who signed its manifest, that its entries are exactly those that were packed, and that
 * its stored events are in the log whose tree head is signed.
 *
 * @returns null: the file is not the bundle of a case
 */
export async function checkCaseBundle(
  file: string,
  { signer }: { readonly signer?: string | undefined },
): Promise<CheckedCaseBundle | null> {
  let zip: ZipFile;
  try {
    zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  } catch {
    return null;
  }
  try {
    const check = new BundleCheck(zip);
    return await check.run(signer);
  } finally {
    zip.close();
  }
}

class BundleCheck {
  private readonly faults: string[] = [];
  private proven = 0;

  constructor(private readonly zip: ZipFile) {}

  async run(signer: string | undefined): Promise<CheckedCaseBundle | null> {
    const entries = await this.entries();
    const manifest = await this.manifest(entries?.get(names.manifest));
    if (entries === null || manifest === null) return null;
    const { claim, publicKey } = manifest;
    const found = fingerprint(publicKey);
    if (!isSigned(manifest)) this.note('its signature does not fit: it was changed after it was signed');
    else if (signer !== undefined && signer !== found)
      this.note(`it was signed by ${found}, not by ${signer}`);
    const packed = new Set(claim.entries.map(({ name }) => name));
    for (const name of entries.keys())
      if (name !== names.manifest && !packed.has(name))
        this.note(`${name} is in it, and was not packed with it`);
    for (const entry of claim.entries) await this.checkEntry(entry, entries.get(entry.name), claim);
    if (this.faults.length === 0 && this.proven !== claim.counts.events)
      this.note(`it proves ${this.proven} events, and says that it proves ${claim.counts.events}`);
    const isSignerKnown = signer !== undefined;
    return { claim, signer: found, isSignerKnown, proven: this.proven, faults: this.faults };
  }

  /** The entries by name; null: the file is damaged or not a ZIP file. */
  private async entries(): Promise<Map<string, Entry> | null> {
    const entries = new Map<string, Entry>();
    try {
      for await (const entry of this.zip.eachEntry()) {
        if (entries.has(entry.fileName)) this.note(`${entry.fileName} is in it twice`);
        entries.set(entry.fileName, entry);
      }
      return entries;
    } catch {
      return null;
    }
  }

  private async manifest(entry: Entry | undefined): Promise<Manifest | null> {
    if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST) return null;
    try {
      return manifestSchema.parse(JSON.parse(await text(await this.zip.openReadStreamPromise(entry))));
    } catch {
      return null;
    }
  }

  private async checkEntry(
    { name, bytes, sha256 }: ManifestEntry,
    entry: Entry | undefined,
    claim: Manifest['claim'],
  ): Promise<void> {
    if (entry === undefined) return this.note(`${name} is missing`);
    // An entry that is larger than what was packed is not read.
    if (entry.uncompressedSize !== bytes) return this.note(`${name} is not as it was packed`);
    try {
      const content = await this.zip.openReadStreamPromise(entry);
      const digest = await (name === names.proofs ? this.digestOfProofs(content, claim) : digestOf(content));
      if (digest !== sha256) this.note(`${name} is not as it was packed`);
    } catch {
      this.note(`${name} is damaged`);
    }
  }

  private async digestOfProofs(content: Readable, claim: Manifest['claim']): Promise<string> {
    const copy = new PassThrough();
    const hash = createHash('sha256');
    content.on('data', (chunk: Buffer) => hash.update(chunk));
    content.once('error', (error) => copy.destroy(error));
    content.pipe(copy);
    for await (const line of createInterface({ input: copy, crlfDelay: Infinity }))
      this.checkProof(line, claim);
    return hash.digest('hex');
  }

  private checkProof(line: string, claim: Manifest['claim']): void {
    const inclusion = inclusionSchema.safeParse(jsonOf(line));
    if (!inclusion.success) return this.note(`${names.proofs} holds something else than proofs`);
    const fault = inclusionFault(claim, inclusion.data);
    if (fault === null) this.proven += 1;
    else this.note(fault[0]);
  }

  private note(fault: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push(fault);
  }
}

async function digestOf(content: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
