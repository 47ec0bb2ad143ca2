import { useFilters } from '../../components/address.js';
import { PageHead } from '../../components/states.js';
import { EventTable } from './event-table.js';
import { FilterForm, filterNames } from './filter-form.js';

/** The log, newest first, with the filters of the address. */
export function Log() {
  const [filters, change] = useFilters(filterNames);
  const asked = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
  const key = JSON.stringify(asked);
  return (
    <>
      <PageHead title="Log">
        Every change that was ever made, newest first. That you look is recorded in it, with what you ask for;
        following what comes is one look.
      </PageHead>
      <section aria-label="What to show">
        <FilterForm key={key} filters={filters} change={(changed) => change(changed, true)} />
      </section>
      <section aria-label="Events" className="below">
        <EventTable key={key} path="audit/log" filters={asked} label="Events of the log" canFollow />
      </section>
    </>
  );
}
