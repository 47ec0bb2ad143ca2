import { projectionNamed } from '../../../projections/engine/model-versions.js';
import { builtOrStopped, type UnbuiltModel } from '../../../projections/engine/poison-event.js';
import { projections as registry } from '../../../projections/registry.js';
import { plain } from '../../audit/sentences/wording.js';
import { verifyProjection, type ProjectionVerification } from '../../operations/verify-projection.js';
import { openProjectionStoresToRead } from '../../stores/stores.js';
import { exitCodes, type CommandAction, type CommandContext } from '../command.js';
import { recordAuditAccess } from '../audit/record-audit-access.js';
import { reachable } from '../with-stores.js';
import type { Terminal } from '../terminal.js';

/** The arguments and options of `palimpsest projections verify`. */
interface VerifyParameters {
  readonly models: readonly string[];
}

/** What `palimpsest projections verify` does. */
export const verifyModels: CommandAction<VerifyParameters> = async ({ models }, context) => {
  const { configuration, terminal } = context;
  const chosen = models.length === 0 ? registry : models.map((name) => projectionNamed(name, registry));
  const stores = await openProjectionStoresToRead(await reachable(configuration));
  try {
    let isAmiss = false;
    for (const projection of chosen) {
      const progress = terminal.progress(`Rebuilding ${projection.name}`, null);
      const outcome = await builtOrStopped(projection.name, () =>
        verifyProjection(stores, projection, ({ events }) => progress.set(events)),
      );
      progress.end();
      isAmiss ||= 'event' in outcome || outcome.differing.length > 0 || outcome.discarded.length > 0;
      await recordContent(outcome, context);
      for (const line of linesOf(outcome, terminal)) await terminal.print(line);
    }
    return isAmiss ? exitCodes.faultsFound : exitCodes.done;
  } finally {
    await stores.close();
  }
};

/** Differing documents, and their ids too, may contain what people wrote. */
async function recordContent(
  outcome: ProjectionVerification | UnbuiltModel,
  context: CommandContext,
): Promise<void> {
  if ('event' in outcome || outcome.differing.length === 0) return;
  await recordAuditAccess(context, { view: 'verification', asked: { projection: outcome.projection } });
}

function linesOf(
  outcome: ProjectionVerification | UnbuiltModel,
  { json }: Pick<Terminal, 'json'>,
): readonly string[] {
  if (json) return [JSON.stringify(outcome)];
  if ('event' in outcome) return [`${outcome.projection}: CANNOT be rebuilt: ${plain(outcome.reason)}`];
  const { projection, rebuilt, differing, discarded } = outcome;
  const lacking = discarded.map(
    ({ type, position }) => `  lacks ${type} at position ${position}, which was discarded`,
  );
  if (differing.length === 0) return [`${projection}: the same as rebuilt, digest ${rebuilt}`, ...lacking];
  const named = differing.map(({ collection, id, one, other }) => {
    const what = one === null ? 'is missing' : other === null ? 'should not be there' : 'differs';
    return `  ${collection} ${JSON.stringify(id)} ${what}`;
  });
  return [`${projection}: NOT the same as rebuilt`, ...named, ...lacking];
}
