import { momentIn, momentText } from '../../components/moments.js';
import type { Case } from './case.js';

/** What the form for a case contains: times as they are entered. */
export interface Draft {
  readonly name: string;
  readonly description: string;
  readonly people: readonly number[];
  readonly channels: readonly number[];
  readonly from: string;
  readonly to: string;
  readonly words: string;
}

/** The fields of a case, as sent. */
export type CaseFields = Readonly<Record<string, unknown>>;

/** The draft of a case that nobody has edited. */
export function draftOf(of: Case | null): Draft {
  const time = (seconds: number | null): string =>
    seconds === null ? '' : momentText(new Date(seconds * 1000).toISOString());
  return {
    name: of?.name ?? '',
    description: of?.description ?? '',
    people: of?.user_ids ?? [],
    channels: of?.channel_ids ?? [],
    from: time(of?.from ?? null),
    to: time(of?.to ?? null),
    words: of?.words ?? '',
  };
}

/**
 * The edited fields. Others are not sent: a time that is entered in the reader's zone may stand for two, and the field of a case would be
 * replaced by the other one.
 */
export function editedFields(draft: Draft, before: Draft): CaseFields {
  const { name, description, people, channels, from, to, words } = draft;
  const fields: Readonly<Record<keyof Draft, CaseFields>> = {
    name: { name },
    description: { description },
    people: { user_ids: people },
    channels: { channel_ids: channels },
    from: { from: momentIn(from) },
    to: { to: momentIn(to) },
    words: { words },
  };
  const names = Object.keys(fields) as (keyof Draft)[];
  const edited = names.filter((one) => !isSame(draft[one], before[one]));
  return Object.assign({}, ...edited.map((one) => fields[one])) as CaseFields;
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
