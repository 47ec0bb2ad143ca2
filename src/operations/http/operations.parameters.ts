import { IsIn, MaxLength, Min } from 'class-validator';
import { modelOperations, type ModelOperation } from '../../events/operations.js';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of POST /audit/operations. */
export class OrderParameters {
  @TextParameter({
    example: 'verify',
    required: true,
    values: modelOperations,
    description: 'What is to be done.',
  })
  @IsIn(modelOperations)
  operation!: ModelOperation;

  @TextParameter({
    example: 'messages',
    description: 'Name of the read model, or `reactor:<name>`; left out of what concerns none of them alone.',
  })
  @MaxLength(100)
  projection?: string;

  @TextParameter({ description: 'Of `restore`: id of the one event; left out: all that were given up.' })
  @MaxLength(100)
  event_id?: string;

  @IntegerParameter({ description: 'Of `rebuild`: the most events a second.' })
  @Min(1)
  events_per_second?: number;
}

/** Parameters of GET /audit/overview. */
export class OverviewParameters {
  @IntegerParameter({ description: 'Only figures after a moment, in milliseconds since the UNIX epoch.' })
  @Min(0)
  since?: number;
}
