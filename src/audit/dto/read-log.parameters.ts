import { Min } from 'class-validator';
import { IntegerParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';

/** Parameters of GET /audit/log. */
export class ReadLogParameters {
  @TextParameter({ description: 'Only a stream; one that ends with `*`: all that begin so.' })
  stream?: string;

  @TextParameter({ description: 'Only events of a type.' })
  type?: string;

  @IntegerParameter({ description: 'Only what an account did.' })
  @Min(0)
  actor_id?: number;

  @TextParameter({
    description: 'Only what somebody did: an id, an e-mail address, or `server` for what nobody asked for.',
  })
  actor?: string;

  @TextParameter({
    description:
      'Only from a moment on: a position of the log, or a date or time of ISO 8601, in UTC unless it says otherwise.',
  })
  from?: string;

  @TextParameter({ description: 'Only up to and including a moment.' })
  to?: string;

  @IntegerParameter({ description: 'Only what concerns a message.' })
  @Min(0)
  message_id?: number;

  @IntegerParameter({ description: 'Only what concerns a channel.' })
  @Min(0)
  channel_id?: number;

  @IntegerParameter({
    description:
      'Only events after a position, such as the `position` of the page before; it need not be one of an event.',
  })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'At most so many events: 1 to 1000, 100 unless said.' })
  limit?: number;
}
