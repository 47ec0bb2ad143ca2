import type { SuccessFields } from '../../http/envelope.js';
import { heldEvents } from '../sealing/proof-bundle.js';
import { fingerprint } from '../sealing/signing-key.js';
import type { ProofResult } from './proof-work.js';
import type { ProofState } from './proof-works.js';

/** A verification or proof as the API shows it. */
export function proofObject({ work, progress, result, ...state }: ProofState): SuccessFields {
  return {
    id: state.id,
    kind: work.kind,
    message_id: work.kind === 'bundle' ? work.messageId : null,
    is_compared: work.kind === 'bundle' ? work.earlier !== null : work.kept !== null,
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
