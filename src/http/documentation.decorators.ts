import type * as OpenApi from '@nestjs/swagger';

/** Applies a decorator of Nest's OpenAPI module. */
type Describe = (library: typeof OpenApi) => void;

const descriptions: Describe[] = [];

/**
 * Defers a decorator of Nest's OpenAPI module until somebody opens the documentation page: the module is
 * larger than the rest of Nest, and most servers are never asked for their documentation. The decorators
 * below mirror the module's.
 */
function describeLater(describe: Describe): void {
  descriptions.push(describe);
}

/** Applies all decorators that were deferred since the last call, in their order. */
export function describeNow(library: typeof OpenApi): void {
  for (const describe of descriptions.splice(0)) describe(library);
}

/** The heading of a controller's endpoints. */
export function ApiTags(...tags: string[]): ClassDecorator {
  return (controller) => describeLater((library) => library.ApiTags(...tags)(controller));
}

/** Leaves a controller with pages for browsers out of the documentation. */
export function ApiExcludeController(): ClassDecorator {
  return (controller) => describeLater((library) => library.ApiExcludeController()(controller));
}

/** Describes an endpoint as a whole. */
export function ApiOperation(options: OpenApi.ApiOperationOptions): MethodDecorator {
  return method((library) => library.ApiOperation(options));
}

/** The content types that an endpoint accepts. */
export function ApiConsumes(...types: string[]): MethodDecorator {
  return method((library) => library.ApiConsumes(...types));
}

/** The body that an endpoint accepts. */
export function ApiBody(options: OpenApi.ApiBodyOptions): MethodDecorator {
  return method((library) => library.ApiBody(options));
}

/** The body of an endpoint that accepts one file in a form. */
export function ApiFile(maxMebibytes: number): MethodDecorator {
  const file = { type: 'string', format: 'binary', 'x-max-bytes': maxMebibytes * 1_048_576 };
  return method((library) => library.ApiBody({ schema: { type: 'object', properties: { filename: file } } }));
}

/** A parameter in the path of an endpoint. */
export function ApiParam(options: OpenApi.ApiParamOptions): MethodDecorator {
  return method((library) => library.ApiParam(options));
}

/**
 * A parameter in the query or the body.
 *
 * @param options called on first use, because describing schemas takes long
 */
export function ApiProperty(options: () => OpenApi.ApiPropertyOptions): PropertyDecorator {
  return (target, property) => describeLater((library) => library.ApiProperty(options())(target, property));
}

function method(decorator: (library: typeof OpenApi) => MethodDecorator): MethodDecorator {
  return (target, property, descriptor) =>
    describeLater((library) => {
      decorator(library)(target, property, descriptor);
    });
}
