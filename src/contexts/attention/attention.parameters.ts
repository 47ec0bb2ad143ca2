import { IsIn } from 'class-validator';
import { z } from 'zod';
import type { VisibilityPolicy } from '../../events/attention.js';
import {
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { budgets } from '../../kernel/budgets.js';
import { limits } from '../../events/values/organization-defaults.js';

const policies = [0, 1, 2, 3] as const;
const operations = ['add', 'remove'] as const;

/** Parameters of POST /user_topics. */
export class SetTopicVisibilityParameters {
  @IntegerParameter({ example: 1, required: true, description: 'The id of the channel.' })
  stream_id!: number;

  @TextParameter({
    cutAt: limits.topic,
    example: 'notes',
    required: true,
    description: 'The name of the topic, compared case-insensitively.',
  })
  topic!: string;

  @IntegerParameter({
    example: 3,
    required: true,
    description: '0: none, the settings of the channel apply; 1: muted; 2: unmuted; 3: followed.',
  })
  @IsIn(policies)
  visibility_policy!: VisibilityPolicy;
}

/** Parameters of PATCH and POST /users/me/subscriptions/muted_topics. */
export class MutedTopicParameters {
  @IntegerParameter({
    example: 1,
    description: 'The id of the channel. Alternatively `stream` gives its name.',
  })
  stream_id?: number;

  @TextParameter({ description: 'The name of the channel. Alternatively `stream_id` gives its id.' })
  stream?: string;

  @TextParameter({
    cutAt: limits.topic,
    example: 'notes',
    required: true,
    description: 'The name of the topic, compared case-insensitively.',
  })
  topic!: string;

  @TextParameter({
    example: 'add',
    required: true,
    values: operations,
    description: 'Whether to mute the topic or to undo that.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];
}

const words = z.array(z.string()).max(budgets.listOfRequest.max);
const example = ['engine', 'note G'];

/** Parameters of POST /users/me/alert_words. */
export class AddAlertWordsParameters {
  @JsonParameter({
    maxItems: budgets.alertWords.max,
    example,
    required: true,
    schema: words,
    description: 'The words to add.',
  })
  alert_words!: string[];
}

/** Parameters of DELETE /users/me/alert_words. */
export class RemoveAlertWordsParameters {
  @JsonParameter({ example, required: true, schema: words, description: 'The words to remove.' })
  alert_words!: string[];
}
