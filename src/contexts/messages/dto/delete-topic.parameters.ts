import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of POST /streams/{stream_id}/delete_topic. */
export class DeleteTopicParameters {
  @TextParameter({ example: 'engines', required: true, description: 'The topic, in whatever case.' })
  topic_name!: string;
}
