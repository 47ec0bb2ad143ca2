import { Controller, Post, Req } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiParam, ApiTags } from '../../http/documentation.decorators.js';
import { CurrentCaller } from '../../http/authentication/authentication.decorators.js';
import type { Caller } from '../../http/caller.js';
import type { SuccessFields } from '../../http/envelope.js';
import { JsonParameter, TextParameter } from '../../http/parameters/parameter-decorators.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { limits } from '../../events/values/organization-defaults.js';
import { budgets } from '../../kernel/budgets.js';
import type { ApplicationError } from '../../kernel/errors.js';
import { OpenToIncomingWebhooks } from '../users/incoming-webhooks.js';
import { TakeWebhook } from './commands/take-webhook.js';
import { Reply } from '../../http/replies/reply.decorator.js';
import { takenReply } from './initial-state.js';

const names = z.array(z.string().max(100)).max(budgets.webhookItems.max);

/** Parameters of POST /external/{integration}: in the query, beside a JSON body. */
class WebhookParameters {
  @TextParameter({ required: true, description: 'The API key of the bot.' })
  api_key!: string;

  @TextParameter({
    description:
      'The channel to send the message to, by name or id. Absent: the message is sent directly to the owner of the bot.',
  })
  stream?: string;

  @TextParameter({
    cutAt: limits.topic,
    description: 'The topic. Absent: the integration derives it from the payload.',
  })
  topic?: string;

  @JsonParameter({
    schema: names,
    description: 'Only events of these types are sent as messages. `*` in a type matches any text.',
  })
  only_events?: string[];

  @JsonParameter({ schema: names, description: 'Events of these types are not sent as messages.' })
  exclude_events?: string[];

  @TextParameter({
    required: true,
    example: '{"ready": true}',
    description: 'The payload as JSON: either the body of the request, or this field of a form.',
  })
  payload!: string;
}

/** The integration whose callers read `ok`, and `error` if that is false. */
const SLACK = 'slack_incoming';

function integrationIn(params: unknown): string {
  return (params as { readonly integration?: string } | undefined)?.integration ?? '';
}

function errorFields({ message }: ApplicationError, { params }: FastifyRequest): SuccessFields {
  return integrationIn(params) === SLACK ? { ok: false, error: message } : {};
}

/** Webhooks of other programs. */
@ApiTags('bots')
@Controller('external')
export class IntegrationsController {
  constructor(private readonly commands: CommandBus) {}

  /** Accepts the webhook of another program, and sends its content as the bot whose key it uses. */
  @OpenToIncomingWebhooks()
  @RouteConfig({ takesKeyInQuery: true, keepsBody: true, errorFields })
  @ApiParam({ name: 'integration', type: String })
  @Reply(takenReply)
  @Post(':integration')
  async take(
    @CurrentCaller() caller: Caller,
    @Parameters(WebhookParameters) parameters: WebhookParameters,
    @Req() { params, headers }: FastifyRequest,
  ): Promise<SuccessFields> {
    const { stream, topic, only_events: only = null, exclude_events: except = [], payload } = parameters;
    const integration = integrationIn(params);
    const webhook = { integration, headers, payload, stream, topic, chosen: { only, except } };
    await this.commands.execute(new TakeWebhook(caller, webhook));
    return integration === SLACK ? { ok: true } : {};
  }
}
