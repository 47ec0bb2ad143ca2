import { IsIn } from 'class-validator';
import { z } from 'zod';
import {
  IntegerParameter,
  JsonParameter,
  TextParameter,
} from '../../http/parameters/parameter-decorators.js';
import { failure } from '../../kernel/errors.js';
import type { TypingPlace } from './typing.js';
import { limits } from '../../events/values/organization-defaults.js';

const operations = ['start', 'stop'] as const;
const types = ['direct', 'private', 'stream', 'channel'] as const;

/** Parameters of POST /typing. */
export class TypingParameters {
  @TextParameter({
    example: 'start',
    required: true,
    values: operations,
    description: 'Whether the caller starts or stops typing.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];

  @TextParameter({
    example: 'direct',
    values: types,
    description: 'Whether the message will go directly to people (default) or to a channel.',
  })
  @IsIn(types)
  type?: (typeof types)[number];

  @JsonParameter({
    example: [3],
    schema: z.array(z.number().int()).max(1000),
    description: 'The ids of the recipients.',
  })
  to?: number[];

  @IntegerParameter({ description: 'The id of the channel.' })
  stream_id?: number;

  @TextParameter({ cutAt: limits.topic, description: 'The topic.' })
  topic?: string;
}

/** Parameters of POST /messages/{message_id}/typing. */
export class EditingParameters {
  @TextParameter({
    example: 'start',
    required: true,
    values: operations,
    description: 'Whether the caller starts or stops editing.',
  })
  @IsIn(operations)
  op!: (typeof operations)[number];
}

/**
 * Where the caller types.
 *
 * @throws ApplicationError `missingParameter`
 */
export function typingPlace({
  type = 'direct',
  to,
  stream_id: channelId,
  topic,
}: TypingParameters): TypingPlace {
  if (type === 'direct' || type === 'private') {
    if (to === undefined) throw failure('missingParameter', { var_name: 'to' });
    return { type: 'direct', userIds: to };
  }
  if (channelId === undefined) throw failure('missingParameter', { var_name: 'stream_id' });
  if (topic === undefined) throw failure('missingParameter', { var_name: 'topic' });
  return { type: 'channel', channelId, topic };
}
