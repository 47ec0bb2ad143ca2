import { z } from 'zod';
import { budgets } from '../../../kernel/budgets.js';
import { JsonParameter, TextParameter } from '../../../http/parameters/parameter-decorators.js';

/** Parameters of GET /messages/matches_narrow (facts, section 5). */
export class MatchesNarrowParameters {
  @JsonParameter({
    example: [1],
    required: true,
    schema: z.array(z.number().int()).max(budgets.messagesOfRequest.max),
    description: 'The messages that are asked about.',
  })
  msg_ids!: number[];

  @JsonParameter({
    example: [{ operator: 'channel', operand: 'engines' }],
    required: true,
    description: 'Terms `{"operator", "operand", "negated"}` that all hold of a message.',
  })
  narrow!: unknown;
}

/** Parameters of POST /messages/render (facts, section 5). */
export class RenderParameters {
  @TextParameter({ example: 'Note **G** is ready.', required: true, description: 'Markdown.' })
  content!: string;
}
