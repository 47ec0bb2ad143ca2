import { IntegerParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST and DELETE /default_streams (facts, section 5). */
export class DefaultChannelParameters {
  @IntegerParameter({ example: 1, required: true })
  stream_id!: number;
}
