import { createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { failure } from '../../kernel/errors.js';
import { type ReceivedImage, receiveImageIfAny } from '../server/received-image.js';
import { ignoredParameters, sentParameter } from '../sent-parameters.js';
import { planOf } from './parameter-plan.js';
import { readParameters } from './read-parameters.js';

const PARAMETERS_OF_ENDPOINT = 'palimpsest:parameters';

interface ParametersRequest {
  readonly type: Type<object>;
  readonly refusesUnknown: boolean;
  /** Whether an image may come with them. */
  readonly withImage?: true;
}

/** Parameters and the image that came with them. */
export interface WithImage<Type> {
  readonly parameters: Type;
  /** Null: none came. */
  readonly image: ReceivedImage | null;
}

const FromRequest = createParamDecorator(
  async (
    { type, refusesUnknown, withImage }: ParametersRequest,
    context: ExecutionContext,
  ): Promise<object> => {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    // Its body is read only now, when it is known who sends it.
    const image = withImage === true ? await receiveImageIfAny(request) : null;
    const plan = planOf(type);
    request.state.supportedParameters = plan.names;
    const [unknown] = refusesUnknown ? ignoredParameters(request) : [];
    if (unknown !== undefined) throw failure('unknownParameter', { reason: unknown });
    const read = readParameters(plan, (name) => sentParameter(request, name));
    return withImage === true ? { parameters: read, image } : read;
  },
);

/**
 * Injects the request's parameters, read from the body in either encoding and then the query, checked against a class
 * whose properties carry {@link TextParameter} and its siblings.
 *
 * @example edit(@Parameters(EditMessageParameters) parameters: EditMessageParameters)
 */
export function Parameters(type: Type<object>): ParameterDecorator {
  return parameters({ type, refusesUnknown: false });
}

/** The same as {@link WithImage}, for endpoints that are declared with `acceptsFiles`. */
export function ParametersWithImage(type: Type<object>): ParameterDecorator {
  return parameters({ type, refusesUnknown: false, withImage: true });
}

/**
 * The same where a parameter that is not known must not be passed over: whoever filters wants to see nothing else.
 *
 * @throws ApplicationError `unknownParameter`, when the request is served
 */
export function OnlyParameters(type: Type<object>): ParameterDecorator {
  return parameters({ type, refusesUnknown: true });
}

function parameters(request: ParametersRequest): ParameterDecorator {
  const { type } = request;
  return (target, method, index) => {
    FromRequest(request)(target, method, index);
    if (method !== undefined) Reflect.defineMetadata(PARAMETERS_OF_ENDPOINT, type, target, method);
  };
}

/** The class that an endpoint's method takes its parameters as; undefined when it takes none. */
export function parametersOf(prototype: object, method: string): Type<object> | undefined {
  return Reflect.getMetadata(PARAMETERS_OF_ENDPOINT, prototype, method) as Type<object> | undefined;
}
