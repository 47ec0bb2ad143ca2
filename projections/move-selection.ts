import type { MoveSelection } from '../src/events/message-moves.js';
import { topicKey } from '../src/events/values/message-text.js';
import type { Filter } from '../src/stores/read-store/port.js';

/** Filters for the messages of a topic that move, and for those that stay. */
export class Selection {
  readonly channelId: number;
  readonly selected: Filter;
  /** Whether no message can stay behind. */
  readonly isWhole: boolean;
  private readonly topic: Filter;

  constructor(private readonly selection: MoveSelection) {
    const { channelId, topic, bounds, visible } = selection;
    this.channelId = channelId;
    this.topic = { channelId, topicKey: topicKey(topic) };
    this.selected = { $and: [this.visible, within(bounds)] };
    this.isWhole = visible === null && bounds.after === 0 && bounds.through === null;
  }

  /** The messages that stay. */
  get left(): Filter {
    const { bounds, visible } = this.selection;
    const outside = visible === null ? [] : [{ $nor: [anyOf(visible)] }];
    return { $and: [this.topic, { $or: [...complement(bounds), ...outside] }] };
  }

  /** The messages that stay and that the mover can see. */
  get visiblyLeft(): Filter {
    return { $and: [this.visible, anyFilter(complement(this.selection.bounds))] };
  }

  private get visible(): Filter {
    const { visible } = this.selection;
    return visible === null ? this.topic : { $and: [this.topic, anyOf(visible)] };
  }
}

type Range = MoveSelection['bounds'];
type VisibleRange = NonNullable<MoveSelection['visible']>[number];

/** A filter that matches nothing: no message has this id. */
const nothing: Filter = { _id: 0 };

function within({ after, through }: Range): Filter {
  return { _id: { $gt: after, ...(through !== null && { $lte: through }) } };
}

function complement({ after, through }: Range): readonly Filter[] {
  return [{ _id: { $lte: after } }, ...(through === null ? [] : [{ _id: { $gt: through } }])];
}

function anyOf(ranges: readonly VisibleRange[]): Filter {
  return anyFilter(
    ranges.map(({ arrivals, ...range }) => ({
      ...within(range),
      arrival: arrivals === null ? 0 : { $in: arrivals },
    })),
  );
}

function anyFilter(filters: readonly Filter[]): Filter {
  return filters.length === 0 ? nothing : { $or: filters };
}
