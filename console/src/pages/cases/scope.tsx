import { Fact } from '../../components/table.js';
import { shownAs, useNames, type Named } from '../../components/named.js';
import { Time } from '../../components/time.js';
import type { Attribution, Case } from './case.js';

/** What a case covers, where it cannot be changed. */
export function Scope({ of }: { readonly of: Case }) {
  const [people, channels] = [useNames('people', of.user_ids), useNames('channels', of.channel_ids)];
  return (
    <dl className="facts">
      <Fact name="People">{namesOf(of.user_ids, people) ?? 'everybody'}</Fact>
      <Fact name="Channels">{namesOf(of.channel_ids, channels) ?? 'anywhere'}</Fact>
      <Fact name="Sent from">{of.from === null ? 'the beginning' : <Time at={of.from * 1000} />}</Fact>
      <Fact name="Sent until">{of.to === null ? 'without end' : <Time at={of.to * 1000} />}</Fact>
      <Fact name="Words">{of.words ?? 'any text'}</Fact>
    </dl>
  );
}

/** Null: none. */
function namesOf(ids: readonly number[], known: readonly Named[]): string | null {
  return ids.length === 0 ? null : ids.map((id) => shownAs(String(id), known)).join(', ');
}

/** Who did something: a name, or the operator on the command line. */
export function ActorName({ attribution }: { readonly attribution: Attribution }) {
  const { user_id: id, full_name: fullName, operator } = attribution;
  const name = id === null ? null : (fullName ?? `account ${id}`);
  return <bdi>{name ?? `${operator ?? 'somebody'}, on the command line`}</bdi>;
}
