import type { Keyed, Update, Filter } from '../../src/stores/read-store/port.js';
import type { ChangePoint } from './engine-fields.js';

/** A change of one document, or of all that match a filter, with its place in the order of changes. */
export type OrderedChange =
  | { readonly put: Keyed; readonly collection: string; readonly point: ChangePoint }
  | { readonly remove: number | string; readonly collection: string; readonly point: ChangePoint }
  | {
      readonly updateMany: { readonly filter: Filter; readonly update: Update };
      readonly collection: string;
      readonly point: ChangePoint;
    };

/** The changes of several events in order, and the position of the last event. */
export interface ChangeSet {
  readonly changes: readonly OrderedChange[];
  readonly position: number;
}
