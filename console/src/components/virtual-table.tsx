import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react';

/** A column of a {@link VirtualTable}. */
export interface Column<Row> {
  readonly title: string;
  /** A CSS grid track: `8rem`, `minmax(12rem, 1fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether it is aligned as numbers. */
  readonly isNumber?: boolean;
  /** Whether it is the most important column: it may take two lines, and on a phone it is above the others. */
  readonly isMain?: boolean;
}

export interface VirtualTableProps<Row> {
  /** A description of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
  /** Called when the last rows become visible: there may be more. */
  readonly onEnd?: () => void;
  /** Called when the first rows become visible: there are more before them. Absent: there are none. */
  readonly onStart?: () => void;
  /** Called for a row that is clicked, or selected with Enter. */
  readonly onChoose?: (row: Row) => void;
  readonly isChosen?: (row: Row) => boolean;
  /** Maximum CSS height; absent: the rest of the window. */
  readonly height?: string;
}

/** In pixels, on a desktop and on a phone. */
const ROW_HEIGHT = 44;
const NARROW_ROW_HEIGHT = 84;

/** Rows in the document above and below the visible ones. */
const OVERSCAN = 12;

/** Rows between an end of the table and what is visible when the last ones come into the document, with those that are partly visible. */
const NEAR = OVERSCAN + 3;

/** The same as in the style sheet. */
const NARROW = '(max-width: 47.99em)';

/** A table of any length: only visible rows are in the document. The arrow keys, Page Up and Down, Home and End scroll it. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, columns, rows, keyOf, onEnd, onStart, height = 'calc(100dvh - 16rem)' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false });
  const rowHeight = isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT;
  // eslint-disable-next-line react-hooks/incompatible-library -- the console is not compiled by React's compiler
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    getItemKey: (index) => keyOf(rows[index]!),
  });
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);
  const items = virtualizer.getVirtualItems();
  const first = items[0]?.index ?? -1;
  const last = items.at(-1)?.index ?? -1;
  useSteady(scroller, { rows, keyOf, rowHeight, ...(onStart !== undefined && { onStart }) });
  useEffect(() => {
    if (last >= 0 && last >= rows.length - 1 && isAtEnd(scroller.current, rowHeight)) onEnd?.();
  }, [last, rows.length, rowHeight, onEnd]);
  useEffect(() => {
    if (first === 0 && isAtStart(scroller.current, rowHeight)) onStart?.();
  }, [first, rows.length, rowHeight, onStart]);
  const tracks = { '--tracks': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div
      ref={scroller}
      className="virtual-table"
      style={{ maxHeight: height }}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
    >
      <div role="rowgroup" className="virtual-head">
        <div role="row" aria-rowindex={1} className="virtual-row" style={tracks}>
          {columns.map((column) => (
            <div key={column.title} role="columnheader" className={classOf(column)}>
              {column.title}
            </div>
          ))}
        </div>
      </div>
      <div role="rowgroup" className="virtual-body" style={{ height: virtualizer.getTotalSize() }}>
        {items.map(({ index, key, start }) => (
          <TableRow key={key} table={props} place={{ index, start, height: rowHeight }} tracks={tracks} />
        ))}
      </div>
    </div>
  );
}

/**
 * Whether an element is scrolled so far up that its first rows are in the document. Right after rows were kept in place, the items of the
 * virtualizer are still the earlier ones.
 */
function isAtStart(element: HTMLElement | null, rowHeight: number): boolean {
  return element !== null && element.scrollTop <= NEAR * rowHeight;
}

/** The same for its last rows. */
function isAtEnd(element: HTMLElement | null, rowHeight: number): boolean {
  if (element === null) return false;
  const { scrollTop, clientHeight, scrollHeight } = element;
  return scrollHeight - clientHeight - scrollTop <= NEAR * rowHeight;
}

interface Steadied<Row> extends Pick<VirtualTableProps<Row>, 'rows' | 'keyOf' | 'onStart'> {
  readonly rowHeight: number;
}

/**
 * The visible rows stay in place when others are added or removed above. At the top, new rows push the others down, unless they are those that
 * scrolling up loads.
 */
function useSteady<Row>(
  scroller: RefObject<HTMLDivElement | null>,
  { rows, keyOf, onStart, rowHeight }: Steadied<Row>,
): void {
  const shown = useRef<Pick<Steadied<Row>, 'rows' | 'onStart'>>({ rows: [] });
  useLayoutEffect(() => {
    const before = shown.current;
    shown.current = { rows, ...(onStart !== undefined && { onStart }) };
    const element = scroller.current;
    const [first] = rows;
    const [former] = before.rows;
    if (element === null || first === undefined || former === undefined) return;
    if (keyOf(first) === keyOf(former)) return;
    const added = indexOf(rows, keyOf, former);
    const removed = indexOf(before.rows, keyOf, first);
    const moved = added > 0 ? added : -Math.max(0, removed);
    if (element.scrollTop > 0 || before.onStart !== undefined) element.scrollBy(0, moved * rowHeight);
  }, [scroller, rows, keyOf, onStart, rowHeight]);
}

function indexOf<Row>(rows: readonly Row[], keyOf: (row: Row) => string | number, wanted: Row): number {
  const key = keyOf(wanted);
  return rows.findIndex((row) => keyOf(row) === key);
}

interface TableRowProps<Row> {
  readonly table: VirtualTableProps<Row>;
  readonly place: { readonly index: number; readonly start: number; readonly height: number };
  readonly tracks: CSSProperties;
}

function classOf({ isNumber, isMain }: Pick<Column<never>, 'isNumber' | 'isMain'>): string | undefined {
  if (isMain === true) return 'main-cell';
  return isNumber === true ? 'number' : undefined;
}

function TableRow<Row>({ table, place, tracks }: TableRowProps<Row>) {
  const { columns, rows, onChoose, isChosen } = table;
  const row = rows[place.index]!;
  const choose = onChoose === undefined ? undefined : () => onChoose(row);
  return (
    <div
      role="row"
      aria-rowindex={place.index + 2}
      aria-selected={isChosen?.(row)}
      className={choose === undefined ? 'virtual-row' : 'virtual-row choosable'}
      style={{ ...tracks, height: place.height, transform: `translateY(${place.start}px)` }}
      tabIndex={choose === undefined ? undefined : 0}
      onClick={choose}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target === event.currentTarget) choose?.();
      }}
    >
      {columns.map((column) => (
        <div key={column.title} role="cell" className={classOf(column)}>
          {column.isMain === true ? <span>{column.cell(row)}</span> : column.cell(row)}
        </div>
      ))}
    </div>
  );
}
