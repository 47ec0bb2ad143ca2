import type { Type } from '@nestjs/common';
import { type ZodType, z } from 'zod';
import { ApiProperty } from '../documentation.decorators.js';
import { boundedSchema, checkedBounds, type DocumentedBounds, shownBounds } from './documented-bounds.js';
import { declareParameter, type ParameterKind } from './parameter-plan.js';

/** Options of every parameter. */
export interface ParameterOptions extends DocumentedBounds {
  /** One sentence for the documentation page. */
  readonly description?: string;
  /** A missing value is REQUEST_VARIABLE_MISSING. Default: false. */
  readonly required?: boolean;
  /** A value that works in any organization, for the documentation page. */
  readonly example?: unknown;
  /** An older name of the parameter; sending both is REQUEST_CONFUSING_VAR. */
  readonly alias?: string;
  /** Values to show on the documentation page; check them with class-validator's `@IsIn`. */
  readonly values?: readonly (string | number)[];
}

/** Options of a parameter with JSON text. */
interface JsonParameterOptions extends ParameterOptions {
  /** `null` is a value of its own. Default: false, where `null` means absent. */
  readonly nullable?: boolean;
}

/** Options of a parameter with an object or an array: at most one of `type` and `schema`. */
interface StructuredParameterOptions extends JsonParameterOptions {
  /**
   * A class with class-validator decorators, for an object or for each object of an array; use
   * `@ValidateNested` too.
   */
  readonly type?: () => Type;
  /** A schema, for unions and other shapes that a class cannot express; the value becomes its output. */
  readonly schema?: ZodType;
}

/** A parameter whose text is the value: quotes are part of it. */
export function TextParameter(options: ParameterOptions = {}): PropertyDecorator {
  return parameter('text', options, () => ({ type: String, ...shownBounds(options) }));
}

/** A JSON integer. */
export function IntegerParameter(options: JsonParameterOptions = {}): PropertyDecorator {
  return parameter('integer', options, () => ({ type: 'integer' }));
}

/** Only `true` or `false`. */
export function BooleanParameter(options: JsonParameterOptions = {}): PropertyDecorator {
  return parameter('boolean', options, () => ({ type: Boolean }));
}

/** Any JSON; class-validator decorators, a `type` or a `schema` restrict it. */
export function JsonParameter(options: StructuredParameterOptions = {}): PropertyDecorator {
  return parameter('json', options, (declared) => describeJson(options, declared));
}

/** JSON if the text parses as such, else the text itself (`to` of a message, `value` of a property). */
export function JsonOrTextParameter(options: StructuredParameterOptions = {}): PropertyDecorator {
  return parameter('json-or-text', options, () => ({ type: String, ...shownBounds(options) }));
}

/** Makes the documentation of a parameter, given the declared type of its property. */
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
      ...checkedBounds(target.constructor, String(property)),
      required,
      ...(nullable ? { nullable } : {}),
      ...(description === undefined ? {} : { description }),
      ...(example === undefined ? {} : { example }),
      ...(values === undefined ? {} : { enum: [...values] }),
    });
    ApiProperty(documented)(target, property);
  };
}

/** JSON inside a form is documented by the shape of the parsed value. */
function describeJson(options: StructuredParameterOptions, declared: unknown): object {
  const { type, schema } = options;
  const isArray = declared === Array;
  if (type !== undefined) return { type, isArray };
  if (schema === undefined)
    return isArray
      ? boundedSchema({ type: 'array', items: {} }, options)
      : { type: Object, additionalProperties: true, ...shownBounds(options) };
  const { $schema: _dialect, ...shape } = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io: 'input',
    target: 'openapi-3.0',
  });
  return boundedSchema(shape, options);
}
