import { z } from 'zod';
import type { SuccessFields } from '../../http/envelope.js';
import { id, named } from '../../http/replies/common-schemas.js';
import { heldEvents, proofBundleSchema } from '../sealing/proof-bundle.js';
import { fingerprint } from '../sealing/signing-key.js';
import type { ProofResult } from './proof-task.js';
import type { ProofState } from './proof-tasks.js';

const milliseconds = z.int().describe('Milliseconds since the UNIX epoch');

/** A verification or a proof, in progress or complete. */
const proof = named(
  'Proof',
  z.strictObject({
    id,
    kind: z.enum(['verification', 'bundle']),
    message_id: id.nullable().describe('The message that a bundle proves; null: none'),
    event_id: z.string().nullable().describe('The event that a bundle proves; null: none'),
    is_compared: z.boolean(),
    started_by: id,
    started_at: milliseconds,
    ended_at: milliseconds.nullable(),
    state: z.enum(['running', 'done', 'failed', 'cancelled']),
    progress: z.looseObject({}).nullable(),
    reason: z.string().nullable(),
    report: z.looseObject({ events: z.int(), root: z.string() }).nullable(),
    bundle: z
      .strictObject({
        organization: z.string(),
        size: z.int(),
        root: z.string(),
        stated_at: z.string(),
        signer: z.string(),
        events: z.int(),
        continues: z.int().nullable(),
      })
      .nullable(),
  }),
);

/** Answered by `POST audit/proofs`. */
export const proofReply = { proof };

/** Answered by `GET audit/proofs`. */
export const currentProofReply = { proof: proof.nullable() };

/** Answered by `GET audit/proofs/bundle`. */
export const bundleReply = { bundle: named('ProofBundle', proofBundleSchema) };

/** Answered by `POST audit/proofs/check`. */
export const checkedBundleReply = {
  claim: z.looseObject({ size: z.int(), root: z.string() }).describe('The statement that is signed'),
  signer: z.string(),
  isSignerKnown: z.boolean(),
  events: z.array(z.looseObject({})),
  faults: z.array(z.string()).describe('The faults that were found; empty: everything is correct'),
};

/** Answered by `GET audit/seals`. */
export const sealsReply = {
  seals: z.array(
    z.strictObject({
      number: z
        .int()
        .describe('The number of the seal; seals are numbered from 0 in the order in which they were made'),
      position: z.int(),
      at: milliseconds,
      size: z
        .int()
        .nullable()
        .describe('The number of events that the seal covers; null: the seal cannot be read'),
      root: z.string().nullable(),
      last: z.string().nullable().describe('The last event that the seal covers, as `<stream>@<revision>`'),
      signer: z
        .string()
        .nullable()
        .describe(
          'Fingerprint of the key that signed the seal; null: there is no signature, or it is not valid',
        ),
    }),
  ),
  before: z.int().nullable(),
};

/** A verification or proof as the API shows it. */
export function proofObject({ task, progress, result, ...state }: ProofState): SuccessFields {
  const subject = task.kind === 'bundle' ? task.subject : null;
  return {
    id: state.id,
    kind: task.kind,
    message_id: subject?.kind === 'message' ? subject.id : null,
    event_id: subject?.kind === 'event' ? subject.id : null,
    is_compared: task.kind === 'bundle' ? task.earlier !== null : task.kept !== null,
    started_by: state.startedBy,
    started_at: state.startedAt,
    ended_at: state.endedAt,
    state: state.state,
    progress,
    reason: state.reason,
    ...resultObject(result),
  };
}

/** For a bundle only its claim: the bundle itself is downloaded. */
function resultObject(result: ProofResult | null): SuccessFields {
  if (result?.kind === 'verification') return { report: result.report, bundle: null };
  if (result === null) return { report: null, bundle: null };
  const { bundle } = result;
  const { claim, publicKey, consistency } = bundle;
  const { organization, size, root, statedAt: stated_at } = claim;
  const events = heldEvents(bundle).length;
  const continues = consistency?.size ?? null;
  const signer = fingerprint(publicKey);
  return { report: null, bundle: { organization, size, root, stated_at, signer, events, continues } };
}
