import { useFilters } from '../../components/address.js';
import { PageHead } from '../../components/states.js';
import { EventTable } from './event-table.js';
import { FilterForm, filterNames } from './filter-form.js';

/** The log, newest first, with the filters of the address, and the moment at which the table begins. */
export function Log() {
  const [filters, change] = useFilters(filterNames);
  const { at, ...asked } = filters;
  const given = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ''));
  const key = JSON.stringify([given, at]);
  return (
    <>
      <PageHead title="Log">
        Every change that was ever made, newest first, from now or from a moment on. That you look is recorded
        in it, with what you ask for; following what comes is one look.
      </PageHead>
      <section aria-label="What to show">
        <FilterForm key={key} filters={filters} change={(changed) => change(changed, true)} />
      </section>
      <section aria-label="Events" className="below">
        <EventTable key={key} path="audit/log" filters={given} at={at} label="Events of the log" canFollow />
      </section>
    </>
  );
}
