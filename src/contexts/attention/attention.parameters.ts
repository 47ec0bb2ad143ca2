import { IsIn } from 'class-validator';
import { z } from 'zod';
import type { VisibilityPolicy } from '../../events/attention.js';
import {
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';

const policies = [0, 1, 2, 3] as const;
const operations = ['add', 'remove'] as const;

/** Parameters of POST /user_topics. */
export class SetTopicVisibilityParameters {
  @IntegerParameter({ example: 1, required: true, description: 'The channel.' })
  stream_id!: number;

  @TextParameter({ example: 'notes', required: true, description: 'The topic, whatever its case.' })
  topic!: string;

  @IntegerParameter({
    example: 3,
    required: true,
    description: '0 as the channel is, 1 muted, 2 unmuted, 3 followed.',
  })
  @IsIn(policies)
  visibility_policy!: VisibilityPolicy;
}

/** Parameters of PATCH and POST /users/me/subscriptions/muted_topics. */
export class MutedTopicParameters {
  @IntegerParameter({ example: 1, description: 'The channel; or its name as `stream`.' })
  stream_id?: number;

  @TextParameter({ description: 'Name of the channel; or its id as `stream_id`.' })
  stream?: string;

  @TextParameter({ example: 'notes', required: true, description: 'The topic, whatever its case.' })
  topic!: string;

  @TextParameter({
    example: 'add',
    required: true,
    values: operations,
    description: 'Whether to mute it or take that back.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];
}

/** Parameters of POST and DELETE /users/me/alert_words. */
export class AlertWordsParameters {
  @JsonParameter({
    example: ['engine', 'note G'],
    required: true,
    schema: z.array(z.string()),
    description: 'The words.',
  })
  alert_words!: string[];
}
