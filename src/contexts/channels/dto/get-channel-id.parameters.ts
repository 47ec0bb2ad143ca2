import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /get_stream_id (facts, section 5). */
export class GetChannelIdParameters {
  @TextParameter({ example: 'engines', required: true, description: 'Name of a channel, whatever its case.' })
  stream!: string;
}
