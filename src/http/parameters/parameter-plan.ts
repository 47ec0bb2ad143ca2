import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import type { ZodType } from 'zod';

/** How the text of a parameter becomes its value; all kinds but `text` are JSON text. */
export type ParameterKind = 'text' | 'integer' | 'boolean' | 'json' | 'json-or-text';

/** One parameter of an endpoint, as its decorator declares it. */
export interface ParameterDefinition {
  /** Name of the parameter, and of the property. */
  readonly name: string;
  readonly kind: ParameterKind;
  /** An older name of the parameter; sending both is an error. */
  readonly alias?: string | undefined;
  readonly required: boolean;
  /** If true, JSON `null` is a value; if false, it means that the parameter is absent. */
  readonly nullable: boolean;
  /**
   * Class of the object, or of the objects in the array, that the JSON contains; its decorators are checked
   * too.
   */
  readonly type?: (() => Type) | undefined;
  /** Schema of the JSON, where a class cannot express it. */
  readonly schema?: ZodType | undefined;
}

/** The analysed form of a parameter class. */
export interface ParameterPlan<Parameters extends object = object> {
  readonly type: Type<Parameters>;
  /** In the order of declaration, inherited ones first: the first fault in this order is reported. */
  readonly parameters: readonly ParameterDefinition[];
  /** All names and aliases. */
  readonly names: ReadonlySet<string>;
  /** Names of the parameters that have class-validator decorators. */
  readonly validated: ReadonlySet<string>;
}

const declared = new WeakMap<object, ParameterDefinition[]>();
const plans = new WeakMap<object, ParameterPlan>();

/** Registers a parameter of a class; called by the decorators. */
export function declareParameter(type: object, definition: ParameterDefinition): void {
  const own = declared.get(type) ?? [];
  own.push(definition);
  declared.set(type, own);
}

/** The plan of a parameter class, made once for each class. */
export function planOf<Parameters extends object>(type: Type<Parameters>): ParameterPlan<Parameters> {
  const known = plans.get(type) as ParameterPlan<Parameters> | undefined;
  if (known !== undefined) return known;
  const parameters = declaredBy(type);
  const plan: ParameterPlan<Parameters> = {
    type,
    parameters,
    names: new Set(parameters.flatMap(({ name, alias }) => (alias === undefined ? [name] : [name, alias]))),
    validated: new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(type, '', false, false)
        .map(({ propertyName }) => propertyName),
    ),
  };
  plans.set(type, plan);
  return plan;
}

function declaredBy(type: object | null): ParameterDefinition[] {
  if (type === null || type === Function.prototype) return [];
  const own = declared.get(type) ?? [];
  const names = new Set(own.map(({ name }) => name));
  const inherited = declaredBy(Object.getPrototypeOf(type) as object | null);
  return [...inherited.filter(({ name }) => !names.has(name)), ...own];
}
