import { z } from 'zod';
import {
  BooleanParameter,
  JsonParameter,
  TextParameter,
} from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /channel_folders. */
export class GetChannelFoldersParameters {
  @BooleanParameter({ description: 'Default false.' })
  include_archived?: boolean;
}

/** Parameters of POST /channel_folders/create. */
export class CreateChannelFolderParameters {
  @TextParameter({ example: 'Workshops', required: true, description: '1 to 60 code points, unique.' })
  name!: string;

  @TextParameter({ description: 'Markdown, at most 1024 code points.' })
  description?: string;
}

/** Parameters of PATCH /channel_folders/{channel_folder_id}. */
export class ChangeChannelFolderParameters {
  @TextParameter({ description: '1 to 60 code points, unique.' })
  name?: string;

  @TextParameter({ description: 'Markdown, at most 1024 code points.' })
  description?: string;

  @BooleanParameter({ description: 'Only a folder without channels can be archived.' })
  is_archived?: boolean;
}

/** Parameters of PATCH /channel_folders. */
export class ReorderChannelFoldersParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.int()),
    description: 'The id of every folder, archived ones too, in their new order.',
  })
  order!: number[];
}
