import { HttpCode, RequestMethod } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  ApiBasicAuth,
  ApiBody,
  ApiConsumes,
  ApiQuery,
  DocumentBuilder,
  type ApiResponseSchemaHost,
  type OpenAPIObject,
  SwaggerModule,
} from '@nestjs/swagger';
import { isMarkedPublic } from '../authentication/public.decorator.js';
import { planOf } from '../parameters/parameter-plan.js';
import { parametersOf } from '../parameters/parameters.decorator.js';
import { type ControllerEndpoint, controllerEndpoints } from './endpoints.js';
import { describeJsonInForms } from './json-in-forms.js';
import { describePermissions } from './permissions-in-document.js';
import { nameWildcards } from './wildcard-paths.js';

const TITLE = 'Palimpsest';
const DESCRIPTION =
  'A team messaging API. Parameters of array or object type are JSON text inside a form or query value. ' +
  'Every parameter may be sent in the query or in the body of any verb; the body wins.';

/** What every error looks like; some codes add fields. */
const REFUSAL: NonNullable<ApiResponseSchemaHost['schema']> = {
  type: 'object',
  properties: {
    result: { type: 'string', enum: ['error'] },
    code: { type: 'string', example: 'BAD_REQUEST' },
    msg: { type: 'string' },
  },
  required: ['result', 'msg'],
};

/** Decorators add to what is there, and the controllers of a process outlive an application. */
const described = new WeakSet<object>();

/** Gives every endpoint what holds for all: status 200, and its parameters and credentials on the documentation page. */
export function describeEndpoints(application: NestFastifyApplication): void {
  for (const endpoint of controllerEndpoints(application)) {
    const { prototype, name, descriptor } = endpoint;
    if (described.has(descriptor.value as object)) continue;
    described.add(descriptor.value as object);
    for (const decorate of decoratorsOf(endpoint)) decorate(prototype, name, descriptor);
  }
}

/** The OpenAPI document of the application's endpoints. */
export function openApiDocument(application: NestFastifyApplication): OpenAPIObject {
  const description = new DocumentBuilder()
    .setTitle(TITLE)
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addBasicAuth()
    .addGlobalResponse({ status: 'default', description: 'A refusal', schema: REFUSAL });
  const document = SwaggerModule.createDocument(application, description.build());
  return describePermissions(nameWildcards(describeJsonInForms(document)));
}

function decoratorsOf({
  controller,
  prototype,
  name,
  method,
  descriptor,
}: ControllerEndpoint): MethodDecorator[] {
  const decorators: MethodDecorator[] = [HttpCode(200)];
  const isPublic = isMarkedPublic(descriptor.value as object) || isMarkedPublic(controller);
  if (!isPublic) decorators.push(ApiBasicAuth());
  const type = parametersOf(prototype, name);
  if (type === undefined || planOf(type).parameters.length === 0) return decorators;
  if (method === RequestMethod.GET) return [...decorators, ApiQuery({ type })];
  return [
    ...decorators,
    ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data'),
    ApiBody({ type }),
  ];
}
