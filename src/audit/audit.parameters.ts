import { IsIn, Min, Max } from 'class-validator';
import {
  BooleanParameter,
  IntegerParameter,
  TextParameter,
} from '../http/parameters/parameter-decorators.js';

/** Which page of the log, and in which direction. */
class PageParameters {
  @BooleanParameter({
    description: 'Newest first. The next page is asked for with `before`.',
  })
  newest_first?: boolean;

  @IntegerParameter({
    description: 'Newest first, only events before a position, such as the `position` of the page before.',
  })
  @Min(0)
  before?: number;

  @IntegerParameter({
    description:
      'Only events after a position, such as the `position` of the page before; it need not be one of an event.',
  })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'At most so many events: 1 to 1000, 100 unless said.' })
  limit?: number;
}

/** Parameters of GET /audit/people/{user_id} and GET /audit/channels/{channel_id}. */
export class ReadLifeParameters extends PageParameters {}

/** Parameters of GET /audit/log. */
export class ReadLogParameters extends PageParameters {
  @BooleanParameter({
    description:
      'With `after`: reads on again and again as events come. What is asked for so within a minute, from there or further on, is one look, and one event of the log.',
  })
  follow?: boolean;

  @TextParameter({ description: 'Only a stream; one that ends with `*`: all that begin so.' })
  stream?: string;

  @TextParameter({ description: 'Only events of a type, or of several, separated by commas.' })
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

  @IntegerParameter({
    description: 'Only what concerns a message, moves that took it along with others among it.',
  })
  @Min(0)
  message_id?: number;

  @IntegerParameter({ description: 'Only what concerns a channel.' })
  @Min(0)
  channel_id?: number;

  @TextParameter({
    description:
      'Only what concerns a topic of the channel `channel_id`: what was sent to it, and moved from it or to it.',
  })
  topic?: string;

  @TextParameter({
    description: 'Only what somebody did, and what concerns them: an id or an e-mail address.',
  })
  about?: string;

  @TextParameter({
    description:
      'Only what people did while they were owner, administrator, moderator, member or guest; several are separated by commas.',
  })
  role?: string;

  @TextParameter({ description: 'Only what people did to their `own` messages, or to those of `others`.' })
  @IsIn(['own', 'others'])
  content?: 'own' | 'others';
}

/** Parameters of GET /audit/messages/{message_id}/history. */
export class ReadHistoryParameters {
  @TextParameter({
    description:
      'Also tell what somebody, by an id or an e-mail address, could see of the message: `views`, each from one `position` until the next.',
  })
  as?: string;
}

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
