import type { KeyObject } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { budgets } from '../../../kernel/budgets.js';
import { failure } from '../../../kernel/errors.js';
import type { EventLog } from '../../../stores/event-store/event-log.js';
import type { EncryptedFiles } from '../../../stores/file-store/encrypted-files.js';
import { claimedOrganization } from '../../names.js';
import { signClaim } from '../../sealing/signed-tree-head.js';
import { fingerprint } from '../../sealing/signing-key.js';
import type { BundledCase, CaseBundle, CaseTaskRun, ExportInput } from '../tasks/case-task.js';
import { CaseReader } from '../tasks/case-reader.js';
import type { CaseNames } from '../tasks/search-case.js';
import { type Manifest, names, readmeText } from './format.js';
import { indexHtml } from './html.js';
import { MessageStage } from './stage-messages.js';
import { stageProofs } from './stage-proofs.js';
import { StagedFiles } from './staged-files.js';
import { fileEntry } from './packed-files.js';
import { textEntry, writeZip, type Packed } from './zip-file.js';

/** What a bundle is made from. */
interface BundleSources {
  readonly log: EventLog;
  readonly files: EncryptedFiles;
  readonly names: CaseNames;
  readonly signingKey: KeyObject;
  /** ISO 8601. */
  readonly statedAt: string;
}

/** The progress at which each step ends. */
const shares = { messages: 0.5, proofs: 0.75, packing: 1 };

/**
 * Makes the bundle of a case: HTML pages, a table and JSON lines, the files, the stored events with their proofs, and
 * a signed manifest with a digest of each. It is written to the disk step by step; an incomplete bundle is removed.
 *
 * @throws ApplicationError `caseBundleTooLarge`; the reason of the abort signal
 */
export async function writeBundle(
  sources: BundleSources,
  { scope, words, about, file }: ExportInput & { readonly file: string },
  run: CaseTaskRun,
): Promise<CaseBundle> {
  const folder = `${file}.parts`;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const staged = new StagedFiles(folder);
  try {
    const reader = await CaseReader.begin(sources.log, run);
    const stage = new MessageStage({ ...sources, staged });
    await stage.begin();
    for await (const message of reader.messages({ scope, words }, shares.messages)) await stage.add(message);
    await stage.end();
    const head = await proven(sources, { stage, staged, through: reader.through }, run);
    const claim = {
      ...(await claimedOrganization(sources.log)),
      ...head,
      statedAt: sources.statedAt,
      case: about as Manifest['claim']['case'],
      counts: countsOf(stage, reader),
      entries: [],
    };
    return await packed({ claim, stage, staged, file, about }, sources, run);
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await staged.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is proven: the events of the staged messages, in the log up to a position. */
interface Proving {
  readonly stage: MessageStage;
  readonly staged: StagedFiles;
  readonly through: number;
}

/** Stages the proofs, and reports how far it has come. */
function proven(
  { log }: BundleSources,
  { stage, staged, through }: Proving,
  run: CaseTaskRun,
): ReturnType<typeof stageProofs> {
  const onProgress = async (position: number): Promise<void> => {
    const step = shares.proofs - shares.messages;
    await run.report(shares.messages + step * (through === 0 ? 1 : position / through));
    run.signal.throwIfAborted();
  };
  return stageProofs(log.store, { staged, wanted: stage.events, through, onProgress });
}

function countsOf(stage: MessageStage, { unreadable }: CaseReader): Manifest['claim']['counts'] {
  return {
    messages: stage.messages,
    versions: stage.versions,
    events: stage.events.size,
    files: stage.toPack.length,
    missingFiles: stage.missingFiles,
    unreadableEvents: unreadable,
  };
}

interface Packing {
  readonly claim: Manifest['claim'];
  readonly stage: MessageStage;
  readonly staged: StagedFiles;
  readonly file: string;
  readonly about: BundledCase;
}

/** All files of the bundle but its manifest. */
function entriesOf(
  { claim, stage, staged, about }: Packing,
  files: BundleSources['files'],
): readonly Packed[] {
  return [
    textEntry(names.readme, readmeText(claim)),
    textEntry(
      names.index,
      indexHtml(
        about,
        factsOf(claim),
        stage.pages.map((name) => `pages/${name}`),
      ),
    ),
    ...stage.pages.map((name) => staged.entry(name, `pages/${name}`)),
    ...[names.messages, names.table, names.files, names.proofs].map((name) => staged.entry(name)),
    ...stage.toPack.map((each) => fileEntry(files, each)),
  ];
}

async function packed(packing: Packing, sources: BundleSources, run: CaseTaskRun): Promise<CaseBundle> {
  const { claim, file } = packing;
  const entries = entriesOf(packing, sources.files);
  let signer = '';
  const written = await writeZip({
    file,
    entries,
    signal: run.signal,
    last: (done) => {
      const signed = signClaim({ ...claim, entries: [...done] }, sources.signingKey);
      signer = fingerprint(signed.publicKey);
      const manifest: Manifest = { format: 'palimpsest-case-bundle', version: 1, ...signed };
      return textEntry(names.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
    },
    onEntry: (count) => {
      void run.report(shares.proofs + (shares.packing - shares.proofs) * (count / entries.length));
    },
    onBytes: (bytes) => {
      if (bytes > budgets.caseBundleMebibytes.max * 1_048_576) throw failure('caseBundleTooLarge');
    },
  });
  const { messages, versions, events, files, missingFiles, unreadableEvents } = claim.counts;
  return {
    ...written,
    messages,
    versions,
    events,
    files,
    missing_files: missingFiles,
    unreadable_events: unreadableEvents,
    signer,
  };
}

function factsOf(claim: Manifest['claim']): readonly (readonly [string, string])[] {
  const { organization, statedAt, case: about, counts } = claim;
  return [
    ['Organization', organization],
    ['Exported', statedAt],
    ['Messages', `${counts.messages}, in ${counts.versions} versions`],
    ['Files', `${counts.files}, and ${counts.missingFiles} that are not there any more`],
    ['Events that cannot be read', String(counts.unreadableEvents)],
    ['People', about.scope.userIds.join(', ') || 'everybody'],
    ['Channels', about.scope.channelIds.join(', ') || 'anywhere'],
    ['Sent', `${about.scope.since ?? 'from the beginning'} to ${about.scope.until ?? 'the end'}`],
    ['Words', about.words ?? 'any'],
    ['Legal hold since', about.heldSince ?? 'none'],
  ];
}
