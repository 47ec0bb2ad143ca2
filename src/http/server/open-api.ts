import { RequestMethod } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import * as swagger from '@nestjs/swagger';
import { isMarkedPublic } from '../authentication/authentication.decorators.js';
import { describeNow } from '../documentation.decorators.js';
import { planOf } from '../parameters/parameter-plan.js';
import { parametersOf } from '../parameters/parameters.decorator.js';
import { describeErrors } from './errors-in-document.js';
import { controllerEndpoints, type ControllerEndpoint } from './endpoints.js';
import { describeJsonInForms } from './json-in-forms.js';
import {
  describeOperations,
  describePathTexts,
  describePermissions,
  nameWildcards,
} from './operations-in-document.js';
import { describeReplies } from './replies-in-document.js';

const TITLE = 'Palimpsest';
const DESCRIPTION =
  'A team messaging API. Parameters of array or object type are JSON text inside a form or query value. ' +
  'Every parameter may be sent in the query or in the body of any verb; the body wins.';

/** The OpenAPI document of the application's endpoints. */
export function openApiDocument(application: NestFastifyApplication): swagger.OpenAPIObject {
  describeNow(swagger);
  const endpoints = controllerEndpoints(application);
  endpoints.forEach(describeEndpoint);
  const description = new swagger.DocumentBuilder()
    .setTitle(TITLE)
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .addBasicAuth();
  const document = swagger.SwaggerModule.createDocument(application, description.build());
  const replied = describeReplies(describeOperations(document), endpoints, application);
  return describePermissions(describeErrors(describePathTexts(nameWildcards(describeJsonInForms(replied)))));
}

/**
 * Classes that were described already: decorators add to what is there, and classes outlive an application.
 */
const described = new WeakSet<object>();

/** Documents what all endpoints have: parameters and credentials. */
function describeEndpoint(endpoint: ControllerEndpoint): void {
  const { prototype, name, descriptor } = endpoint;
  if (described.has(descriptor.value as object)) return;
  described.add(descriptor.value as object);
  for (const decorate of decoratorsOf(endpoint)) decorate(prototype, name, descriptor);
}

function decoratorsOf({
  controller,
  prototype,
  name,
  method,
  descriptor,
}: ControllerEndpoint): MethodDecorator[] {
  const isPublic = isMarkedPublic(descriptor.value as object) || isMarkedPublic(controller);
  const decorators: MethodDecorator[] = isPublic ? [] : [swagger.ApiBasicAuth()];
  const type = parametersOf(prototype, name);
  if (type === undefined || planOf(type).parameters.length === 0) return decorators;
  if (method === RequestMethod.GET) return [...decorators, swagger.ApiQuery({ type })];
  return [
    ...decorators,
    swagger.ApiConsumes('application/x-www-form-urlencoded', 'multipart/form-data'),
    swagger.ApiBody({ type }),
  ];
}
