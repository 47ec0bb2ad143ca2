import { IsIn, Matches, Max, Min } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';

/** Parameters of GET /audit/seals. */
export class SealsParameters {
  @IntegerParameter({
    description: 'Only seals with a smaller number than this: the `before` of the previous reply.',
  })
  @Min(0)
  before?: number;

  @IntegerParameter({ description: 'The most seals to return: 1 to 1000. Default 100.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}

const KEPT_TEXT = 'a proof bundle, as its JSON text';

/** Parameters of POST /audit/proofs. */
export class BeginProofParameters {
  @TextParameter({
    required: true,
    description:
      '`verification` checks the whole log; `bundle` makes a proof bundle: a signed tree head with inclusion proofs.',
    example: 'verification',
  })
  @IsIn(['verification', 'bundle'])
  kind!: 'verification' | 'bundle';

  @TextParameter({
    maxLength: budgets.proofBundle.max,
    countsUtf16: true,
    description: `Only for \`verification\`: an earlier state that the log is compared with, ${KEPT_TEXT}.`,
  })
  kept?: string;

  @IntegerParameter({
    description: 'Only for `bundle`: the id of the message whose events the bundle proves to be in the log.',
  })
  @Min(1)
  message_id?: number;

  @TextParameter({
    description:
      'Only for `bundle`, and instead of `message_id`: the id of an event that the bundle proves to be in the log.',
  })
  @Matches(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
  event_id?: string;

  @TextParameter({
    maxLength: budgets.proofBundle.max,
    countsUtf16: true,
    description: `Only for \`bundle\`: an earlier state that the bundle proves this log to continue, ${KEPT_TEXT}.`,
  })
  earlier?: string;
}

/** Parameters of POST /audit/proofs/check. */
export class CheckProofParameters {
  @TextParameter({
    maxLength: budgets.proofBundle.max,
    countsUtf16: true,
    required: true,
    description: `The document to check: ${KEPT_TEXT}.`,
    example: '{}',
  })
  bundle!: string;

  @TextParameter({
    maxLength: budgets.proofBundle.max,
    countsUtf16: true,
    description: `An earlier state that the log of the bundle must continue: ${KEPT_TEXT}.`,
  })
  earlier?: string;

  @TextParameter({
    description: 'The fingerprint of the key that must have signed the tree heads, such as `SHA256:…`.',
  })
  signer?: string;
}
