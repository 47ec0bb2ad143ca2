import { IsIn } from 'class-validator';
import { BooleanParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { emojiCodeOf, reactionTypes } from '../messages/reactions.parameters.js';
import type { StatusRequest } from './statuses.decide.js';

/** Clients that remove the emoji send an empty code and type as well. */
const typesOrNone = [...reactionTypes, ''] as const;

/** Parameters of POST /users/{user_id}/status. Whether clients see a person's presence stays that person's choice. */
export class ChangeStatusOfParameters {
  @TextParameter({ example: 'Weaving', description: 'At most 60 code points; empty takes the words away.' })
  status_text?: string;

  @TextParameter({ example: 'octopus', description: 'A name of the emoji; empty takes it away.' })
  emoji_name?: string;

  @TextParameter({ description: 'The code of the emoji, within the namespace of `reaction_type`.' })
  emoji_code?: string;

  @TextParameter({ description: 'The namespace of `emoji_code`.', values: reactionTypes })
  @IsIn(typesOrNone)
  reaction_type?: (typeof typesOrNone)[number];
}

/** Parameters of POST /users/me/status. */
export class ChangeStatusParameters extends ChangeStatusOfParameters {
  @BooleanParameter({ description: 'Deprecated: the inverse of the setting `presence_enabled`.' })
  away?: boolean;
}

/** The changes in the parameters. */
export function statusRequest(
  parameters: ChangeStatusOfParameters & { readonly away?: boolean },
): StatusRequest {
  const { status_text: text = null, emoji_name: name, away = null } = parameters;
  const code = emojiCodeOf({
    emoji_code: parameters.emoji_code || undefined,
    reaction_type: parameters.reaction_type || undefined,
  });
  return { text, emoji: { name, ...code }, away };
}
