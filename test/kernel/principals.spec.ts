import { afterEach, expect, it, jest } from '@jest/globals';
import type { EmailLookup } from '../../src/access/email-lookup.js';
import type { KnownPeople } from '../../src/access/known-people.js';
import { Principals } from '../../src/contexts/channels/principals.js';
import { TestOrganization } from '../support/organization.js';
import { standIn } from '../support/stand-in.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('Other work goes on while many addresses of one request are looked up', async () => {
  const organization = new TestOrganization();
  const people = [organization.register(), organization.register()];
  const caller = organization.user(people[0]!);
  let lookedUp = 0;
  const emails = standIn<EmailLookup>({
    findByIdOrEmail: () => organization.user(people[lookedUp++ % people.length]!),
  });
  const known = standIn<KnownPeople>({ predicateFor: () => Promise.resolve(() => true) });
  // Each look at the clock finds that the task has had the thread for long enough.
  let time = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (time += 1_000));
  const before: number[] = [];
  setImmediate(() => before.push(lookedUp));
  const principals = Array.from({ length: 50 }, (_, index) => `person${index}@example.com`);
  const actor = { user: caller, snapshot: organization.snapshot() };
  expect(await new Principals(emails, known).userIds(principals, actor)).toEqual(people);
  expect(lookedUp).toBe(50);
  expect(before[0]).toBeLessThan(50);
});
