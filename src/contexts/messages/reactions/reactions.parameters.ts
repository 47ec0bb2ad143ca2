import { IsIn } from 'class-validator';
import type { EmojiRequest } from '../../../access/emoji.js';
import { emojiTypes, type EmojiType } from '../../../events/custom-emoji.js';
import { TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** The name of `service_extra_emoji` that existing clients use. */
const OLDER_NAME = 'zulip_extra_emoji';

/** The emoji namespaces that clients can name. */
export const reactionTypes = [...emojiTypes, OLDER_NAME] as const;

class EmojiCodeParameters {
  @TextParameter({ description: 'The code of the emoji, within the namespace of `reaction_type`.' })
  emoji_code?: string | undefined;

  @TextParameter({ description: 'The namespace of `emoji_code`.', values: reactionTypes })
  @IsIn(reactionTypes)
  reaction_type?: (typeof reactionTypes)[number] | undefined;
}

/** Parameters of POST /messages/{message_id}/reactions. */
export class AddReactionParameters extends EmojiCodeParameters {
  @TextParameter({ example: 'octopus', required: true, description: 'The name of the emoji.' })
  emoji_name!: string;
}

/** Parameters of DELETE /messages/{message_id}/reactions. */
export class RemoveReactionParameters extends EmojiCodeParameters {
  @TextParameter({
    example: 'octopus',
    description: 'The name of the emoji. Either `emoji_name` or `emoji_code` is required.',
  })
  emoji_name?: string;
}

/** The parameters that identify the emoji beside its name. */
export function emojiCodeOf(parameters: EmojiCodeParameters): Pick<EmojiRequest, 'code' | 'type'> {
  return { code: parameters.emoji_code, type: typeOf(parameters.reaction_type) };
}

function typeOf(type: EmojiCodeParameters['reaction_type']): EmojiType | undefined {
  return type === OLDER_NAME ? 'service_extra_emoji' : type;
}
