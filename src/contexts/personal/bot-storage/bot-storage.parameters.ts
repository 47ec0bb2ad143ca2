import { z } from 'zod';
import { JsonParameter } from '../../../http/parameters/parameter-decorators.js';
import { budgets } from '../../../kernel/budgets.js';

const values = z.record(z.string(), z.string());

/** Parameters of PUT /bot_storage. */
export class ChangeBotStorageParameters {
  @JsonParameter({
    example: { greeting: 'Hello' },
    required: true,
    schema: values,
    description: 'Texts by their keys: `{"key": "text"}`.',
  })
  storage!: z.infer<typeof values>;
}

/** Parameters of GET and DELETE /bot_storage. */
export class BotStorageKeysParameters {
  @JsonParameter({
    example: ['greeting'],
    schema: z.array(z.string()).max(budgets.botStorageKeys.max),
    description: 'Which keys; all of them when it is left out or empty.',
  })
  keys?: string[];
}

/** The requested keys; null: all. */
export function requestedKeys({ keys = [] }: BotStorageKeysParameters): readonly string[] | null {
  return keys.length === 0 ? null : keys;
}
