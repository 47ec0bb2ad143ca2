import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import type { Access } from '../api/access.js';
import { useDocumentTitle } from '../components/states.js';
import type { ConsolePage } from '../pages.js';

/** @param page null: no page is available to the account */
export function NotForYou({ page, access }: { readonly page: ConsolePage | null; readonly access: Access }) {
  useDocumentTitle('Not for this account');
  const what = page === null ? 'The console is' : `“${page.title}” is`;
  return (
    <Stack gap="sm" maw="36rem">
      <Title order={1}>Not for this account</Title>
      <Text>
        {what} for {page === null ? 'the owners of the organization and its auditors' : whom(page)}, and you
        are signed in as <b>{access.full_name}</b>.
      </Text>
      <Text>
        Owners operate the server. Who may look into the log is a permission of the organization; its owners
        can give it to you.
      </Text>
    </Stack>
  );
}

function whom({ section }: ConsolePage): string {
  return section === 'Operate' ? 'owners of the organization' : 'auditors of the organization';
}

export function NoSuchPage() {
  useDocumentTitle('No such page');
  return (
    <Stack gap="sm">
      <Title order={1}>No such page</Title>
      <Text>
        The console has no page at this address.{' '}
        <Anchor component={Link} href="/">
          Go to the first one
        </Anchor>
        .
      </Text>
    </Stack>
  );
}
