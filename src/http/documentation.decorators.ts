import type * as OpenApi from '@nestjs/swagger';

/** Hands a description to Nest's OpenAPI module. */
type Describe = (library: typeof OpenApi) => void;

const descriptions: Describe[] = [];

/**
 * Describes something on the documentation page once somebody reads it: Nest's OpenAPI module is larger than all of Nest
 * beside it, and most servers are never asked for their documentation. The decorators here are the module's own, put off.
 */
function describeLater(describe: Describe): void {
  descriptions.push(describe);
}

/** Hands all that was described since the last time to the module, in the order in which it was described. */
export function describeNow(library: typeof OpenApi): void {
  for (const describe of descriptions.splice(0)) describe(library);
}

/** The heading under which a controller's endpoints stand. */
export function ApiTags(...tags: string[]): ClassDecorator {
  return (controller) => describeLater((library) => library.ApiTags(...tags)(controller));
}

/** Leaves a controller out: what it answers is for people with a browser. */
export function ApiExcludeController(): ClassDecorator {
  return (controller) => describeLater((library) => library.ApiExcludeController()(controller));
}

/** Describes an endpoint as a whole. */
export function ApiOperation(options: OpenApi.ApiOperationOptions): MethodDecorator {
  return method((library) => library.ApiOperation(options));
}

/** The content types that an endpoint takes. */
export function ApiConsumes(...types: string[]): MethodDecorator {
  return method((library) => library.ApiConsumes(...types));
}

/** The body that an endpoint takes. */
export function ApiBody(options: OpenApi.ApiBodyOptions): MethodDecorator {
  return method((library) => library.ApiBody(options));
}

/** A parameter in the path of an endpoint. */
export function ApiParam(options: OpenApi.ApiParamOptions): MethodDecorator {
  return method((library) => library.ApiParam(options));
}

/**
 * A parameter in the query or the body.
 *
 * @param options called when they are needed: schemas take long to describe
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
