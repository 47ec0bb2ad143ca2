import type { Collection as DriverCollection, Filter as DriverFilter } from 'mongodb';
import { oneOf } from '../../mongodb/connect.js';
import type { Collection, CollectionDefinition, Filter, FindOptions, Keyed, ReadControl } from '../port.js';
import { pathParts } from '../language/documents.js';
import { checkFindOptions, sortKeys } from '../language/options.js';
import { checkTermOptions, parseReadFilter } from '../language/terms.js';
import { distinctScalars } from '../language/values.js';
import { withinDeadline } from './errors.js';

/** Validates a filter, and converts it for the driver. A list of one key becomes an equality, because some servers only use an index for that. */
function checked(filter: Filter, { termIndex }: CollectionDefinition): DriverFilter<Keyed> {
  parseReadFilter(filter, termIndex);
  const condition = (filter['_id'] ?? {}) as { readonly $in?: readonly Keyed['_id'][] };
  const isList = condition.$in !== undefined && Object.keys(condition).length === 1;
  return (isList ? { ...filter, _id: oneOf(condition.$in) } : filter) as DriverFilter<Keyed>;
}

/** A collection of MongoDB, limited to the port's documented subset. */
export class MongoCollection<D extends Keyed> implements Collection<D> {
  constructor(
    private readonly documents: DriverCollection<Keyed>,
    private readonly definition: CollectionDefinition,
    private readonly control: ReadControl,
  ) {}

  async findOne(filter: Filter, options: Omit<FindOptions, 'limit'> = {}): Promise<D | null> {
    const [first] = await this.find(filter, { ...options, limit: 1 });
    return first ?? null;
  }

  async find(filter: Filter, options: FindOptions = {}): Promise<D[]> {
    checkFindOptions(options);
    sortKeys(options.sort);
    checkTermOptions(options, this.definition.termIndex);
    const wanted = checked(filter, this.definition);
    const projection = options.projection ?? this.withoutTerms;
    const found = await withinDeadline(this.control.deadline(), (limits) =>
      this.documents.find(wanted, { ...options, ...(projection && { projection }), ...limits }).toArray(),
    );
    this.control.rowsRead(found.length);
    return found as Keyed[] as D[];
  }

  async countDocuments(filter: Filter): Promise<number> {
    const wanted = checked(filter, this.definition);
    const count = await withinDeadline(this.control.deadline(), (limits) =>
      this.documents.countDocuments(wanted, limits),
    );
    this.control.rowsRead(count);
    return count;
  }

  async distinct(path: string, filter: Filter): Promise<unknown[]> {
    pathParts(path);
    checkTermOptions({ sort: { [path]: 1 } }, this.definition.termIndex);
    const wanted = checked(filter, this.definition);
    const found = await withinDeadline(this.control.deadline(), (limits) =>
      this.documents.distinct(path, wanted, limits),
    );
    this.control.rowsRead(found.length);
    return distinctScalars(path, found);
  }

  /** Terms are stored in each document, for the index, and removed when documents are read. */
  private get withoutTerms(): { readonly [path: string]: 0 } | null {
    const { termIndex } = this.definition;
    return termIndex === undefined ? null : { [termIndex.path]: 0 };
  }
}
