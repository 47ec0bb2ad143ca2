import type { Actor } from '../../access/actor.js';
import { budgets } from '../../kernel/budgets.js';
import { failure } from '../../kernel/errors.js';
import { idAtRevision } from '../../kernel/ids.js';
import { isAdministrator } from '../../access/records/roles.js';
import { codePlaygroundOf, type CodePlaygroundDefinition } from '../../access/records/code-playgrounds.js';
import type { OrganizationEvent } from '../../events/organization.js';
import type { Organization } from '../../access/records/organization.js';

/**
 * @throws ApplicationError `administratorRequired`, a blank or too long text, `invalidCodePlayground`,
 * `codePlaygroundExists`, `tooManyCodePlaygrounds`
 */
export function decideAddCodePlayground(
  { codePlaygrounds }: Organization,
  request: CodePlaygroundDefinition,
  { user: actor, nextRevision }: Pick<Actor, 'user'> & { readonly nextRevision: number },
): readonly OrganizationEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  const definition = codePlaygroundOf(request);
  const { name, language } = definition;
  if (codePlaygrounds.some((other) => other.name === name && other.language === language)) {
    throw failure('codePlaygroundExists');
  }
  if (codePlaygrounds.length >= budgets.codePlaygrounds.max) throw failure('tooManyCodePlaygrounds');
  const data = { playgroundId: idAtRevision(nextRevision), ...definition };
  return [{ type: 'CodePlaygroundAdded', data }];
}

/** @throws ApplicationError `administratorRequired`, `noSuchCodePlayground` */
export function decideRemoveCodePlayground(
  { codePlaygrounds }: Organization,
  playgroundId: number,
  { user: actor }: Pick<Actor, 'user'>,
): readonly OrganizationEvent[] {
  if (!isAdministrator(actor)) throw failure('administratorRequired');
  if (!codePlaygrounds.some((one) => one.playgroundId === playgroundId)) {
    throw failure('noSuchCodePlayground');
  }
  return [{ type: 'CodePlaygroundRemoved', data: { playgroundId } }];
}
