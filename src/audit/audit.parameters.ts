import { IsIn, Min, Max, ValidateBy } from 'class-validator';
import { z } from 'zod';
import {
  BooleanParameter,
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../http/parameters/parameter-decorators.js';
import { budgets } from '../kernel/budgets.js';

/** Length of the longest list of names, with its commas, in UTF-16 units. */
const MAX_NAME_LIST_LENGTH = budgets.auditFilter.max * (budgets.eventTypeName.max + 1) - 1;

/** A list of names, separated by commas. Its length is limited because the request is recorded with it. */
function NameList(): PropertyDecorator {
  return ValidateBy(
    { name: 'nameList', validator: { validate: isNameList } },
    { message: '$property has too many names, or one that is too long' },
  );
}

function isNameList(list: string): boolean {
  const { max } = budgets.auditFilter;
  // One more than the maximum is enough to know that there are too many.
  const names = list.split(',', max + 1);
  return names.length <= max && names.every((name) => name.length <= budgets.eventTypeName.max);
}

/** Which page of the log, and in which direction. */
class PageParameters {
  @BooleanParameter({
    description:
      'Whether the newest events come first. The next page is requested with `before`. Default false.',
  })
  newest_first?: boolean;

  @IntegerParameter({
    description:
      'Only events before this position of the log, newest first, such as the `position` of the previous page.',
  })
  @Min(0)
  before?: number;

  @IntegerParameter({
    description:
      'Only events after this position of the log, such as the `position` of the previous page. No event has to be at this position.',
  })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'The most events to return: 1 to 1000. Default 100.' })
  limit?: number;

  @BooleanParameter({
    description: 'Whether each event has its `data`. Default true. Without it, a page of sentences is small.',
  })
  with_data?: boolean;
}

/** Parameters of GET /audit/people/{user_id} and GET /audit/channels/{channel_id}. */
export class ReadTimelineParameters extends PageParameters {}

/** Parameters of GET /audit/log. */
export class ReadLogParameters extends PageParameters {
  @BooleanParameter({
    description:
      'Only with `after`: for clients that poll for new events. Requests within one minute that continue from the same position or a later one are recorded as one access, by one event of the log.',
  })
  follow?: boolean;

  @TextParameter({
    description:
      'Only events of this stream. If it ends with `*`: of all streams whose names begin with the text before it.',
  })
  stream?: string;

  @TextParameter({
    maxLength: MAX_NAME_LIST_LENGTH,
    countsUtf16: true,
    description: 'Only events of this type, or of several types, separated by commas.',
  })
  @NameList()
  type?: string;

  @IntegerParameter({ description: 'Only events whose actor is the account with this id.' })
  @Min(0)
  actor_id?: number;

  @TextParameter({
    description:
      'Only events of this actor: an account id, an e-mail address, or `server` for events that the server caused by itself.',
  })
  actor?: string;

  @TextParameter({
    description:
      'Only events from this moment on: a position of the log, or an ISO 8601 date or time, in UTC if it has no time zone.',
  })
  from?: string;

  @TextParameter({
    description: 'Only events up to and including this moment, in the same formats as `from`.',
  })
  to?: string;

  @IntegerParameter({
    description:
      'Only events that concern this message, including moves of several messages that it is one of.',
  })
  @Min(0)
  message_id?: number;

  @IntegerParameter({ description: 'Only events that concern this channel.' })
  @Min(0)
  channel_id?: number;

  @TextParameter({
    description:
      'Only events that concern this topic of the channel `channel_id`: messages sent to it, and moves from it or to it.',
  })
  topic?: string;

  @TextParameter({
    description:
      'Only events of which this account is the actor or which concern it: an account id or an e-mail address.',
  })
  about?: string;

  @TextParameter({
    maxLength: MAX_NAME_LIST_LENGTH,
    countsUtf16: true,
    description:
      'Only events whose actor had this role at the time: owner, administrator, moderator, member or guest. Several roles are separated by commas.',
  })
  @NameList()
  role?: string;

  @TextParameter({ description: 'Only what people did to their `own` messages, or to messages of `others`.' })
  @IsIn(['own', 'others'])
  content?: 'own' | 'others';
}

/** Parameters of GET /audit/messages/{message_id}/history. */
export class ReadHistoryParameters {
  @TextParameter({
    description:
      'The id or e-mail address of an account. The reply then has `views`, which tell what this account could see of the message, each from one `position` until the next view.',
  })
  as?: string;
}

/** Parameters of GET /audit/messages/{message_id}/who-could-see and GET /audit/messages/{message_id}/readers. */
export class AudienceParameters {
  @TextParameter({
    description:
      'The moment: a position of the log, or an ISO 8601 date or time, in UTC if it has no time zone. A moment after the end of the log stands for its end. Absent: the end of the log.',
  })
  at?: string;

  @IntegerParameter({
    description: 'Only accounts with ids greater than this: the `after` of the previous reply.',
  })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'The most accounts to return: 1 to 1000. Default 1000.' })
  @Min(1)
  @Max(1_000)
  limit?: number;
}

/** Most names in one reply, and most ids in one request. */
const MAX_NAMES = 200;

/** Parameters of GET /audit/people and GET /audit/channels. */
export class ListNamesParameters {
  @TextParameter({ description: 'Only those whose names contain this text, in upper or lower case.' })
  name?: string;

  @BooleanParameter({
    description:
      'Only with `name`: those whose whole name is this text, in upper or lower case. Default false.',
  })
  exact?: boolean;

  @JsonParameter({
    schema: z.array(z.number().int()).max(MAX_NAMES),
    description: 'Only those with these ids, at most 200. Unknown ids are left out.',
  })
  ids?: number[];

  @IntegerParameter({ description: 'Only those that follow this one: the `after` of the previous reply.' })
  @Min(0)
  after?: number;

  @IntegerParameter({ description: 'The most names to return: 1 to 200. Default 50.' })
  @Min(1)
  @Max(MAX_NAMES)
  limit?: number;
}
