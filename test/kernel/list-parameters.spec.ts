import 'reflect-metadata';
import { readdir } from 'node:fs/promises';
import { ArrayMaxSize, getMetadataStorage } from 'class-validator';
import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { UpdateOrganizationParameters } from '../../src/contexts/organization/organization.parameters.js';
import {
  type ParameterDefinition,
  type ParameterPlan,
  planOf,
} from '../../src/http/parameters/parameter-plan.js';
import { parametersOf } from '../../src/http/parameters/parameters.decorator.js';

/** The plans of the parameters of every endpoint. */
async function plans(): Promise<ReadonlySet<ParameterPlan>> {
  const files = await readdir('src', { recursive: true });
  const controllers = files.filter((file) => file.endsWith('controller.ts'));
  const classes: unknown[] = [];
  for (const file of controllers) {
    classes.push(...Object.values((await import(`../../src/${file}`)) as object));
  }
  const found = new Set<ParameterPlan>();
  for (const controller of classes) {
    if (typeof controller !== 'function' || controller.prototype === undefined) continue;
    const prototype = controller.prototype as object;
    for (const method of Object.getOwnPropertyNames(prototype)) {
      const type = parametersOf(prototype, method);
      if (type !== undefined) found.add(planOf(type));
    }
  }
  return found;
}

/** Whether a JSON schema contains a list of any length. */
function hasEndlessList(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const { type, maxItems, prefixItems } = schema as Readonly<Record<string, unknown>>;
  if (type === 'array' && maxItems === undefined && prefixItems === undefined) return true;
  return Object.values(schema).some(hasEndlessList);
}

function isEndless({ type }: ParameterPlan, { name, kind, schema }: ParameterDefinition): boolean {
  if (kind !== 'json' && kind !== 'json-or-text') return false;
  // Each setting is checked by the schema of its row, and no row has a list.
  if (type === UpdateOrganizationParameters && schema === undefined) return false;
  if (schema !== undefined) {
    return hasEndlessList(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }));
  }
  const checks = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  return !checks.some((check) => check.propertyName === name && check.name === ArrayMaxSize.name);
}

it('Every list in a parameter has a maximum length, or a reason to have none', async () => {
  const found = await plans();
  expect(found.size).toBeGreaterThan(100);
  const endless = [...found].flatMap((plan) =>
    plan.parameters
      .filter((parameter) => isEndless(plan, parameter))
      .map(({ name }) => (permission.test(name) ? 'permissions' : `${plan.type.name}.${name}`)),
  );
  expect([...new Set(endless)].sort()).toEqual(Object.keys(unboundedBecause).sort());
});

/** Names of parameters that contain the value of a permission. */
const permission = /^can_|_group$/;

/** By parameter; all others must have a maximum. None exceeds the budget `jsonValues`. */
const unboundedBecause: Readonly<Record<string, string>> = {
  permissions: 'namedInPermission is refused as permissionTooLong, unless the present value is as long.',
  'ChangeFlagsInNarrowParameters.narrow': 'narrowTerms is refused as narrowTooLong.',
  'GetMessagesParameters.narrow': 'narrowTerms is refused as narrowTooLong.',
  'MatchesNarrowParameters.narrow': 'narrowTerms is refused as narrowTooLong.',
  'GetMessagesParameters.message_ids': 'messagesOfRequest is refused as tooManyMessagesRequested.',
  'CreateUserGroupParameters.members': 'membersOfGroup is refused as tooManyGroupMembers.',
  'ChangeGroupMembersParameters.add': 'membersOfGroup is refused as tooManyGroupMembers.',
  'SubscribeParameters.principals': 'subscriptionsOfRequest is refused as tooManySubscriptionsAtOnce.',
  'UnsubscribeParameters.principals': 'subscriptionsOfRequest is refused as tooManySubscriptionsAtOnce.',
};
