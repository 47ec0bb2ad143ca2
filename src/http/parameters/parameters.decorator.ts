import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { ignoredParameters, parameterText } from '../request-parameters.js';
import { receiveImageIfAny, type ReceivedImage } from '../server/received-image.js';
import { planOf } from './parameter-plan.js';
import { readParameters } from './read-parameters.js';

/** For endpoints without parameters. */
export class NoParameters {}

const PARAMETERS_OF_ENDPOINT = 'palimpsest:parameters';

/** The parameters with the uploaded image. */
export interface WithImage<Type> {
  readonly parameters: Type;
  /** Null: no image was sent. */
  readonly image: ReceivedImage | null;
}

const FromRequest = createParamDecorator((type: Type<object>, context: ExecutionContext) =>
  parametersIn(requestOf(context), type),
);

const FromRequestAlone = createParamDecorator((type: Type<object>, context: ExecutionContext) => {
  const request = requestOf(context);
  request.state.supportedParameters = planOf(type).names;
  const [unknown] = ignoredParameters(request);
  if (unknown !== undefined) throw failure('unknownParameter', { reason: unknown });
  return parametersIn(request, type);
});

const FromRequestWithImage = createParamDecorator(async (type: Type<object>, context: ExecutionContext) => {
  const request = requestOf(context);
  // The body is read only now, after authentication.
  const image = await receiveImageIfAny(request);
  return { parameters: parametersIn(request, type), image };
});

function requestOf(context: ExecutionContext): FastifyRequest {
  return context.switchToHttp().getRequest<FastifyRequest>();
}

function parametersIn(request: FastifyRequest, type: Type<object>): object {
  const plan = planOf(type);
  request.state.supportedParameters = plan.names;
  return readParameters(plan, (name) => parameterText(request, name));
}

/**
 * Injects the request's parameters, read from the body in either encoding and then the query, and checked
 * against a class whose properties have {@link TextParameter} or another parameter decorator.
 *
 * @example edit(@Parameters(EditMessageParameters) parameters: EditMessageParameters)
 */
export function Parameters(type: Type<object>): ParameterDecorator {
  return parameters(FromRequest, type);
}

/** Like {@link Parameters} with the result {@link WithImage}, for endpoints declared with `acceptsFiles`. */
export function ParametersWithImage(type: Type<object>): ParameterDecorator {
  return parameters(FromRequestWithImage, type);
}

/**
 * Like {@link Parameters}, but refuses unknown parameters, because a misspelled filter would show everything.
 *
 * @throws ApplicationError `unknownParameter`, when the request is served
 */
export function OnlyParameters(type: Type<object>): ParameterDecorator {
  return parameters(FromRequestAlone, type);
}

function parameters(
  fromRequest: (type: Type<object>) => ParameterDecorator,
  type: Type<object>,
): ParameterDecorator {
  return (target, method, index) => {
    fromRequest(type)(target, method, index);
    if (method !== undefined) Reflect.defineMetadata(PARAMETERS_OF_ENDPOINT, type, target, method);
  };
}

/** The parameter class of an endpoint's method; undefined when it has none. */
export function parametersOf(prototype: object, method: string): Type<object> | undefined {
  return Reflect.getMetadata(PARAMETERS_OF_ENDPOINT, prototype, method) as Type<object> | undefined;
}
