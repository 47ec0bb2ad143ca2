import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fingerprint } from '../../src/audit/sealing/signing-key.js';
import { makeProofBundle } from '../../src/audit/sealing/make-proof-bundle.js';
import {
  inclusionFaults,
  proofBundleSchema,
  type ProofBundle,
} from '../../src/audit/sealing/proof-bundle.js';
import { isSigned } from '../../src/audit/sealing/signed-tree-head.js';
import { randomCommandId } from '../../src/stores/event-store/event-id.js';
import { MessageDeleted, MessageSent } from '../../src/events/messages.js';
import { openTemporaryStores, type TemporaryStores } from '../support/temporary-stores.js';

// Interpreters start slowly on a busy machine.
const verifier = resolve('test/clients/support/verify_proof_bundle.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) process.stderr.write('Not run: the verifier in Python, because there is no python3 here.\n');
const withPython = hasPython ? it : it.skip;

let stores: TemporaryStores;
let folder: string;
let bundle: ProofBundle;
let signer: string;

beforeAll(async () => {
  stores = await openTemporaryStores();
  folder = await mkdtemp(join(tmpdir(), 'palimpsest-proofs-'));
  const at = Date.UTC(2026, 0, 1);
  const metadata = () => ({
    actorId: 3,
    commandId: randomCommandId(at),
    causationId: null,
    client: 'Zürich “client” \u2028\t',
    at,
  });
  for (let number = 1; number <= 21; number += 1) {
    const sent = { type: MessageSent.type, data: MessageSent.example };
    await stores.log.append({ stream: 'messages', expected: 'any' }, [sent], metadata());
  }
  const place = { stream: 'message-9', expected: 'no-stream' } as const;
  await stores.log.append(
    place,
    [{ type: MessageDeleted.type, data: { ...MessageDeleted.example, messageId: 9 } }],
    metadata(),
  );
  bundle = await makeProofBundle(stores.eventStore, {
    organization: { organization: 'Engines' },
    statedAt: '2026-01-01T00:00:00.000Z',
    earlier: null,
    proves: ({ stream, revision }) => stream === 'message-9' || [0, 8, 20].includes(revision),
    key: stores.signingKey,
  });
  signer = fingerprint(bundle.publicKey);
});

afterAll(async () => {
  await stores.dispose();
  await rm(folder, { recursive: true });
});

interface Spoilt {
  readonly what: string;
  readonly spoil: (copy: ProofBundle) => void;
}

function spoilt(what: string, spoil: (copy: ProofBundle) => void): Spoilt {
  return { what, spoil };
}

const spoilts: readonly Spoilt[] = [
  spoilt('the type of an event', ({ inclusions }) => (inclusions[1]!.event.type = 'MessageRead')),
  spoilt('the id of an event', ({ inclusions }) => (inclusions[1]!.event.id = inclusions[0]!.event.id)),
  spoilt('the revision of an event', ({ inclusions }) => (inclusions[1]!.event.revision += 1)),
  spoilt('the stream of an event', ({ inclusions }) => (inclusions[1]!.event.stream = 'message-8')),
  spoilt(
    'who acted',
    ({ inclusions }) => (inclusions[1]!.event.metadata = { ...inclusions[1]!.event.metadata, actorId: 8 }),
  ),
  spoilt('the data of an event', ({ inclusions }) => (inclusions[1]!.event.data = { messageId: 8 })),
  spoilt('the index of an event', ({ inclusions }) => (inclusions[1]!.index += 1)),
  spoilt('the path of an event', ({ inclusions }) => void inclusions[1]!.proof.reverse()),
  spoilt('an event, in place of another', ({ inclusions }) => (inclusions[1] = inclusions[0]!)),
  spoilt('the number of events, one less', ({ inclusions }) => void inclusions.pop()),
  spoilt('the size of the log', ({ claim }) => (claim.size += 1)),
  spoilt(
    'the root of the log',
    ({ claim }) => (claim.root = claim.root.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))),
  ),
  spoilt('a place that was signed', ({ claim }) => (claim.places[1]!.revision += 1)),
];

function copyWith({ spoil }: Spoilt): ProofBundle {
  const copy = structuredClone(bundle);
  spoil(copy);
  return copy;
}

describe('a proof bundle', () => {
  it('holds, and proves the events that it holds', () => {
    expect(bundle.inclusions.length).toBeGreaterThan(3);
    expect(isSigned(bundle)).toBe(true);
    expect(inclusionFaults(bundle)).toEqual([]);
    expect(proofBundleSchema.parse(JSON.parse(JSON.stringify(bundle)))).toEqual(bundle);
  });

  it.each(spoilts)('proves nothing with $what changed', (one) => {
    const copy = copyWith(one);
    expect(isSigned(copy) && inclusionFaults(copy).length === 0).toBe(false);
  });
});

describe('a verifier that knows nothing but docs/proofs.md', () => {
  const verify = async (copy: ProofBundle, by: string): Promise<string> => {
    const file = join(folder, 'bundle.json');
    await writeFile(file, JSON.stringify(copy, null, 2));
    const { status, stdout, stderr } = spawnSync('python3', [verifier, file, by], { encoding: 'utf8' });
    return `${status} ${stdout}${stderr}`.trim();
  };

  withPython('finds that it holds', async () => {
    expect(await verify(bundle, signer)).toBe('0 Everything holds.');
  });

  withPython.each(spoilts)('finds $what changed', async (one) => {
    expect(await verify(copyWith(one), signer)).toMatch(/^3 .*(event|sign)/);
  });

  withPython('takes nobody for the signer who was not named', async () => {
    expect(await verify(bundle, 'SHA256:somebodyElse')).toBe('3 it was signed by somebody else');
  });
});
