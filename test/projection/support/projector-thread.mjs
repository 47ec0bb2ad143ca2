/** The projector's thread from its TypeScript source, without a build. */
import { register } from 'node:module';

register('../../support/typescript/hooks.mjs', import.meta.url);
await import('../../../projections/engine/worker.ts');
