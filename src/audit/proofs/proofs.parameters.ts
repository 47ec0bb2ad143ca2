import { IsIn, Max, Min } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /audit/seals. */
export class SealsParameters {
  @IntegerParameter({ description: 'Only seals with a smaller number: the `before` of the reply before.' })
  @Min(0)
  before?: number;

  @IntegerParameter({ description: 'At most so many: 1 to 1000, 100 unless said.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}

const keptText = 'a proof bundle, as its JSON text';

/** Parameters of POST /audit/proofs. */
export class BeginProofParameters {
  @TextParameter({
    required: true,
    description: '`verification` of the whole log, or a `bundle`: its signed tree head, and proofs.',
    example: 'verification',
  })
  @IsIn(['verification', 'bundle'])
  kind!: 'verification' | 'bundle';

  @TextParameter({ description: `Of a verification: what the log is compared with, ${keptText}.` })
  kept?: string;

  @IntegerParameter({ description: 'Of a bundle: the message whose events it proves to be in the log.' })
  @Min(1)
  message_id?: number;

  @TextParameter({ description: `Of a bundle: whose log it proves to begin this one, ${keptText}.` })
  earlier?: string;
}

/** Parameters of POST /audit/proofs/check. */
export class CheckProofParameters {
  @TextParameter({ required: true, description: `What is checked: ${keptText}.`, example: '{}' })
  bundle!: string;

  @TextParameter({ description: `Whose log must begin that of the bundle: ${keptText}.` })
  earlier?: string;

  @TextParameter({ description: 'Fingerprint of who must have signed them, such as `SHA256:…`.' })
  signer?: string;
}
