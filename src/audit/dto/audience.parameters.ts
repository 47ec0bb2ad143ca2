import { Max, Min } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /audit/messages/{message_id}/who-could-see and GET /audit/messages/{message_id}/readers. */
export class AudienceParameters {
  @TextParameter({
    description:
      'The moment: a position of the log, or a date or time of ISO 8601, in UTC unless it says otherwise; what lies behind the end of the log is its end. Absent: the end of the log.',
  })
  at?: string;

  @IntegerParameter({ description: 'Only accounts with greater ids: the `after` of the reply before.' })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'At most so many: 1 to 1000, 1000 unless said.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}
