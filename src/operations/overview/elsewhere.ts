import { act, watch, type Problem, type ServerFacts } from './server-facts.js';

type Facts = Pick<ServerFacts, 'projections' | 'reactors'>;
type Model = Facts['projections'][number];

/** A model that another process keeps stores its checkpoint less often than one that is kept here reports its progress. */
const LAG = 10;

/**
 * Problems of the read models that another process keeps and the reactors that it runs. This process knows only the
 * stored checkpoints of such models, and nothing about such reactors.
 */
export function elsewhereProblems({ projections, reactors }: Facts): readonly Problem[] {
  const models = projections.filter(isElsewhere);
  const acting = reactors.filter(({ state }) => state === 'standby');
  const parts = [
    ...(models.length === 0 ? [] : [`keeps ${plural(models.length, 'read model')}`]),
    ...(acting.length === 0 ? [] : [`runs ${plural(acting.length, 'reactor')}`]),
  ];
  if (parts.length === 0) return [];
  return [
    ...models.filter(({ lagSeconds }) => lagSeconds > LAG).map(behind),
    watch(
      `Another process ${parts.join(' and ')}: whether all is well there is not known here.`,
      'Look at /health/ready and /metrics of each process whose NODE_ROLES name the projector, and run palimpsest projections there.',
      null,
    ),
  ];
}

function isElsewhere({ state }: Model): boolean {
  return state === null || state === 'standby';
}

function behind({ projection, lagSeconds }: Model): Problem {
  return act(
    `The read model ${projection}, which another process keeps, is ${Math.round(lagSeconds)} s behind the log.`,
    'Look whether that process runs, and whether the model is halted, paused or being built there: palimpsest projections status.',
    'models',
  );
}

function plural(number: number, noun: string): string {
  return number === 1 ? `one ${noun}` : `${number} ${noun}s`;
}
