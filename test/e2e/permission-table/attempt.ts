import type { Answer, ApiClient } from '../../support/api-client.js';
import { actors, type Actor } from './actors.js';
import type { Stage } from './stage.js';

/** One way to try what a permission permits. */
export interface Attempt {
  /** What is tried, where a permission is tried in more than one way. */
  readonly at?: string;
  /** One try, on things that no other try spoils. */
  readonly act: (client: ApiClient, actor: Actor) => Promise<Answer>;
  /** Who succeeds. */
  readonly who: readonly Actor[];
  /** A permission of the organization that is given to others meanwhile: its value or a promise of it, and what it was. */
  readonly given?: readonly [permission: string, value: () => unknown, before: unknown];
}

/** The attempts of every row of a table. */
export type Attempts<Table> = { readonly [Name in keyof Table]: readonly Attempt[] };

/** A try on one thing that everybody tries: whoever succeeds leaves it as good as it was. */
export function shared<Thing>(
  make: () => Promise<Thing>,
  act: (thing: Thing, client: ApiClient, actor: Actor) => Promise<Answer>,
): Attempt['act'] {
  let made: Promise<Thing> | undefined;
  return async (client, actor) => act(await (made ??= make()), client, actor);
}

/** What came of everybody's trying. */
export interface Walk {
  readonly who: readonly Actor[];
  /** Status and code of every refusal; those of the deactivated say so. */
  readonly refusals: readonly string[];
}

/** Lets everybody try, side by side. */
export async function walk(stage: Stage, { act, given }: Attempt): Promise<Walk> {
  const who: Actor[] = [];
  const refusals = new Set<string>();
  if (given !== undefined) await stage.give(given[0], await given[1]());
  try {
    const tries = actors.map(async (actor) => {
      const { status, body } = await act(stage.clients[actor], actor);
      if (status === 200 && body['unauthorized'] === undefined) who.push(actor);
      else refusals.add(`${actor === 'deactivated' ? 'deactivated ' : ''}${status} ${body.code}`);
    });
    await Promise.all(tries);
  } finally {
    if (given !== undefined) await stage.give(given[0], given[2]);
  }
  return { who, refusals: [...refusals] };
}
