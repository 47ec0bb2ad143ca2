import { z } from 'zod';
import { id } from '../../http/replies/common-schemas.js';
import { named } from '../../http/replies/named-schema.js';
import { proofBundleSchema } from '../sealing/proof-bundle.js';

const milliseconds = z.int().describe('Milliseconds since the UNIX epoch');

/** A verification or a proof, in progress or complete. */
const proof = named(
  'Proof',
  z.strictObject({
    id,
    kind: z.enum(['verification', 'bundle']),
    message_id: id.nullable(),
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
  claim: z.looseObject({ size: z.int(), root: z.string() }).describe('What was signed'),
  signer: z.string(),
  isSignerKnown: z.boolean(),
  events: z.array(z.looseObject({})),
  faults: z.array(z.string()).describe('Empty: everything holds'),
};

/** Answered by `GET audit/seals`. */
export const sealsReply = {
  seals: z.array(
    z.strictObject({
      number: z.int().describe('From 0, in the order in which they were made'),
      position: z.int(),
      at: milliseconds,
      size: z.int().nullable().describe('How many events it covers; null: it cannot be read'),
      root: z.string().nullable(),
      last: z.string().nullable().describe('The last event that it covers, `<stream>@<revision>`'),
      signer: z.string().nullable().describe('Null: nobody signed it, or the signature does not fit'),
    }),
  ),
  before: z.int().nullable(),
};
