import { HttpCode, type INestApplicationContext, type RequestMethod, type Type } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';

/** A method of a controller that serves requests. */
export interface ControllerEndpoint {
  readonly controller: Type;
  readonly prototype: object;
  readonly name: string;
  readonly method: RequestMethod;
  readonly descriptor: PropertyDescriptor;
}

/** Every endpoint of every controller. */
export function controllerEndpoints(application: INestApplicationContext): readonly ControllerEndpoint[] {
  const modules = [...application.get(ModulesContainer).values()];
  const controllers = new Set(
    modules.flatMap(({ controllers }) => [...controllers.values()].map(({ metatype }) => metatype)),
  );
  return [...controllers].flatMap((controller) =>
    typeof controller === 'function' ? endpointsOf(controller as Type) : [],
  );
}

/** Makes every endpoint reply with 200: clients accept no other status as a success. */
export function answerWithSuccess(application: INestApplicationContext): void {
  for (const { prototype, name, descriptor } of controllerEndpoints(application)) {
    HttpCode(200)(prototype, name, descriptor);
  }
}

function endpointsOf(controller: Type): ControllerEndpoint[] {
  const prototype = controller.prototype as object;
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(([name, descriptor]) => {
    const handler: unknown = descriptor.value;
    if (typeof handler !== 'function') return [];
    const method = Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined;
    return method === undefined ? [] : [{ controller, prototype, name, method, descriptor }];
  });
}
