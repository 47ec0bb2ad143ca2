import type { Collection as DriverCollection, Filter as DriverFilter } from 'mongodb';
import { oneOf } from '../../mongodb/connect.js';
import type { Collection, Filter, FindOptions, Keyed } from '../port.js';
import { parseFilter } from '../language/conditions.js';
import { pathParts } from '../language/documents.js';
import { checkFindOptions, sortKeys } from '../language/options.js';
import { distinctScalars } from '../language/values.js';
import { guarded } from './errors.js';

/** A filter that the port's language knows, for the driver. A list of one key is that key: servers that plan little find only that by its index. */
function checked(filter: Filter): DriverFilter<Keyed> {
  parseFilter(filter);
  const condition = (filter['_id'] ?? {}) as { readonly $in?: readonly Keyed['_id'][] };
  const isList = condition.$in !== undefined && Object.keys(condition).length === 1;
  return (isList ? { ...filter, _id: oneOf(condition.$in) } : filter) as DriverFilter<Keyed>;
}

/** A collection of MongoDB, held to the subset that the port documents. */
export class MongoCollection<D extends Keyed> implements Collection<D> {
  constructor(private readonly documents: DriverCollection<Keyed>) {}

  async findOne(filter: Filter, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    const [first] = await this.find(filter, { ...options, limit: 1 });
    return first ?? null;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<D[]> {
    checkFindOptions(options);
    sortKeys(options.sort);
    const wanted = checked(filter);
    return guarded(() =>
      this.documents.find(wanted, { ...options }).toArray(),
    ) as Promise<unknown> as Promise<D[]>;
  }

  async countDocuments(filter: Filter): Promise<number> {
    const wanted = checked(filter);
    return guarded(() => this.documents.countDocuments(wanted));
  }

  async distinct(path: string, filter: Filter): Promise<unknown[]> {
    pathParts(path);
    const wanted = checked(filter);
    return distinctScalars(path, await guarded(() => this.documents.distinct(path, wanted)));
  }
}
