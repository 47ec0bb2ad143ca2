import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { sentParameter } from '../sent-parameters.js';
import { planOf } from './parameter-plan.js';
import { readParameters } from './read-parameters.js';

const PARAMETERS_OF_ENDPOINT = 'palimpsest:parameters';

const FromRequest = createParamDecorator((type: Type<object>, context: ExecutionContext): object => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const plan = planOf(type);
  request.state.supportedParameters = plan.names;
  return readParameters(plan, (name) => sentParameter(request, name));
});

/**
 * Injects the request's parameters, read from the body in either encoding and then the query, checked against a class
 * whose properties carry {@link TextParameter} and its siblings.
 *
 * @example edit(@Parameters(EditMessageParameters) parameters: EditMessageParameters)
 */
export function Parameters(type: Type<object>): ParameterDecorator {
  return (target, method, index) => {
    FromRequest(type)(target, method, index);
    if (method !== undefined) Reflect.defineMetadata(PARAMETERS_OF_ENDPOINT, type, target, method);
  };
}

/** The class that an endpoint's method takes its parameters as; undefined when it takes none. */
export function parametersOf(prototype: object, method: string): Type<object> | undefined {
  return Reflect.getMetadata(PARAMETERS_OF_ENDPOINT, prototype, method) as Type<object> | undefined;
}
