import { validateSync, type ValidatorOptions } from 'class-validator';
import { failure } from '../../kernel/errors.js';
import { validationFault } from './parameter-fault.js';
import type { ParameterDefinition, ParameterPlan } from './parameter-plan.js';
import { parseParameter } from './parse-parameter.js';

/** Returns the text of a parameter from the request; undefined when it was not sent. */
type ParameterTexts = (name: string) => string | undefined;

const validationOptions: ValidatorOptions = {
  skipUndefinedProperties: true,
  skipNullProperties: true,
  forbidUnknownValues: false,
  validationError: { target: false, value: false },
};

/**
 * Reads and checks the parameters of an endpoint. Properties that were not sent keep the initial values of
 * the class.
 *
 * @throws ApplicationError for the first fault in the order of declaration
 */
export function readParameters<Parameters extends object>(
  plan: ParameterPlan<Parameters>,
  sent: ParameterTexts,
): Parameters {
  const parameters = new plan.type();
  let checked = false;
  for (const definition of plan.parameters) {
    try {
      const value = readParameter(definition, sent);
      if (value === undefined) continue;
      (parameters as Record<string, unknown>)[definition.name] = value;
      checked ||= plan.validated.has(definition.name);
    } catch (fault) {
      if (checked) assertValid(plan, parameters);
      throw fault;
    }
  }
  if (checked) assertValid(plan, parameters);
  return parameters;
}

function readParameter(definition: ParameterDefinition, sent: ParameterTexts): unknown {
  const { name, alias, required, nullable } = definition;
  const text = textByNameOrAlias(name, alias, sent);
  if (text === undefined) {
    if (required) throw failure('missingParameter', { var_name: name });
    return undefined;
  }
  const value = parseParameter(definition, text);
  if (value !== null || nullable) return value;
  if (required) throw failure('parameterNull', { reason: name });
  return undefined;
}

function textByNameOrAlias(
  name: string,
  alias: string | undefined,
  sent: ParameterTexts,
): string | undefined {
  const text = sent(name);
  if (alias === undefined) return text;
  const aliased = sent(alias);
  if (text !== undefined && aliased !== undefined) {
    throw failure('confusingParameter', { var_name1: name, var_name2: alias });
  }
  return text ?? aliased;
}

/** Properties after a fault are not set yet, so any fault found here is an earlier one. */
function assertValid({ parameters }: ParameterPlan, values: object): void {
  const errors = validateSync(values, validationOptions);
  if (errors.length === 0) return;
  const place = (name: string): number => parameters.findIndex((parameter) => parameter.name === name);
  const [first] = errors.sort((a, b) => place(a.property) - place(b.property));
  if (first !== undefined) throw validationFault(first);
}
