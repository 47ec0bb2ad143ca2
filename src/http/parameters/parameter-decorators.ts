import type { Type } from '@nestjs/common';
import { type ZodType, z } from 'zod';
import { ApiProperty } from '../documentation.decorators.js';
import { declareParameter, type ParameterKind } from './parameter-plan.js';

/** What every parameter may say about itself. */
export interface ParameterOptions {
  /** One sentence for the documentation page. */
  readonly description?: string;
  /** Missing it is REQUEST_VARIABLE_MISSING. False when not given. */
  readonly required?: boolean;
  /** A value that works in any organization, for the documentation page. */
  readonly example?: unknown;
  /** An older spelling of the name; sending both is REQUEST_CONFUSING_VAR. */
  readonly alias?: string;
  /** Values to show on the documentation page; check them with class-validator's `@IsIn`. */
  readonly values?: readonly (string | number)[];
}

/** What a parameter of JSON text may say about itself. */
export interface JsonParameterOptions extends ParameterOptions {
  /** `null` is a value of its own. False when not given: `null` then means absent. */
  readonly nullable?: boolean;
}

/** What a parameter that holds an object or an array may say about itself: at most one of `type` and `schema`. */
export interface StructuredParameterOptions extends JsonParameterOptions {
  /** A class with class-validator decorators, for an object or for each object of an array; use `@ValidateNested` too. */
  readonly type?: () => Type;
  /** A schema, for unions and other shapes that a class cannot say; the value becomes what it answers. */
  readonly schema?: ZodType;
}

/** A parameter taken as it was sent: quotes are part of it. */
export function TextParameter(options: ParameterOptions = {}): PropertyDecorator {
  return parameter('text', options, () => ({ type: String }));
}

/** A whole number in JSON. */
export function IntegerParameter(options: JsonParameterOptions = {}): PropertyDecorator {
  return parameter('integer', options, () => ({ type: 'integer' }));
}

/** `true` or `false`, and nothing else. */
export function BooleanParameter(options: JsonParameterOptions = {}): PropertyDecorator {
  return parameter('boolean', options, () => ({ type: Boolean }));
}

/** Any JSON; class-validator decorators, a `type` or a `schema` say what is accepted. */
export function JsonParameter(options: StructuredParameterOptions = {}): PropertyDecorator {
  return parameter('json', options, (declared) => describeJson(options, declared));
}

/** JSON where it can be read as that, else the text as it was sent (`to` of a message, `value` of a property). */
export function JsonOrTextParameter(options: StructuredParameterOptions = {}): PropertyDecorator {
  return parameter('json-or-text', options, () => ({ type: String }));
}

/** How the documentation page describes a parameter, given the type that its property was declared with. */
type Describe = (declared: unknown) => object;

function parameter(
  kind: ParameterKind,
  options: StructuredParameterOptions,
  describe: Describe,
): PropertyDecorator {
  const { required = false, nullable = false, alias, type, schema, values, description, example } = options;
  return (target, property) => {
    declareParameter(target.constructor, {
      name: String(property),
      kind,
      alias,
      required,
      nullable,
      type,
      schema,
    });
    const documented = () => ({
      ...describe(Reflect.getMetadata('design:type', target, property)),
      required,
      ...(nullable ? { nullable } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      ...(values === undefined ? {} : { enum: [...values] }),
    });
    ApiProperty(documented)(target, property);
  };
}

/** The page describes JSON inside a form by the shape of what the text holds. */
function describeJson({ type, schema }: StructuredParameterOptions, declared: unknown): object {
  const isArray = declared === Array;
  if (type !== undefined) return { type, isArray };
  if (schema === undefined)
    return isArray ? { type: 'array', items: {} } : { type: Object, additionalProperties: true };
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    target: 'openapi-3.0',
  });
  return shape;
}
