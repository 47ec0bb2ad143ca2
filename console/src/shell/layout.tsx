import {
  Avatar,
  Burger,
  Group,
  Menu,
  NavLink,
  Stack,
  Text,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef, type ReactNode, type RefObject } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession, useSessionState } from '../api/session.js';
import { linkOf, pagesFor, SECOND_FACTOR, YOUR_DATA, type ConsolePage, type Section } from '../pages.js';
import { SchemeMenu } from './scheme-menu.js';
import { Wordmark } from './wordmark.js';

const sections: readonly Section[] = ['Operate', 'Audit'];

/** The frame of every page: account, navigation, and the page. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure(false);
  const [location] = useLocation();
  const page = usePageFocus(location);
  useEffect(close, [location, close]);
  return (
    <div className="frame">
      <a className="skip" href="#page">
        Skip to the page
      </a>
      <header className="frame-head">
        <Group gap="sm" wrap="nowrap">
          <Burger
            className="narrow"
            opened={opened}
            onClick={toggle}
            size="sm"
            aria-expanded={opened}
            aria-label={opened ? 'Close the navigation' : 'Open the navigation'}
          />
          <Wordmark />
        </Group>
        <Group gap="xs" wrap="nowrap">
          <SchemeMenu />
          <Account />
        </Group>
      </header>
      <nav className={opened ? 'frame-pages open' : 'frame-pages'} aria-label="Pages">
        <Navigation location={location} />
      </nav>
      <main id="page" ref={page} className="frame-page" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}

/** Moves the focus to the page when another one is shown, so that screen readers begin there. */
function usePageFocus(location: string): RefObject<HTMLElement | null> {
  const page = useRef<HTMLElement>(null);
  const before = useRef(location);
  useEffect(() => {
    // The first address leads on to the first page, and the focus is at the beginning of the document then.
    if (before.current !== location && before.current !== '/') page.current?.focus();
    before.current = location;
  }, [location]);
  return page;
}

function Navigation({ location }: { readonly location: string }) {
  const { access } = useSession();
  const shown = pagesFor(access);
  return (
    <Stack gap="lg">
      {sections.map((section) => (
        <Links
          key={section}
          section={section}
          pages={shown.filter((page) => page.section === section)}
          location={location}
        />
      ))}
    </Stack>
  );
}

function Links({
  section,
  pages,
  location,
}: {
  readonly section: Section;
  readonly pages: readonly ConsolePage[];
  readonly location: string;
}) {
  const links = pages.flatMap((page) => {
    const href = linkOf(page);
    return href === null ? [] : [{ href, title: page.title }];
  });
  if (links.length === 0) return null;
  return (
    <div>
      <Text className="heading" size="xs" c="dimmed" px="sm" pb={4}>
        {section}
      </Text>
      {links.map(({ href, title }) => {
        const isHere = location === href || location.startsWith(`${href}/`);
        return (
          <NavLink
            key={href}
            component={Link}
            href={href}
            label={title}
            active={isHere}
            aria-current={isHere ? 'page' : undefined}
          />
        );
      })}
    </div>
  );
}

function Account() {
  const { access, credentials } = useSession();
  const { signOut } = useSessionState();
  return (
    <Menu position="bottom-end" width={260} withinPortal={false}>
      <Menu.Target>
        <UnstyledButton className="account-button">
          <Avatar size="sm" radius="xl" color="ink" aria-hidden>
            {[...access.full_name][0] ?? '?'}
          </Avatar>
          <VisuallyHidden>Account of </VisuallyHidden>
          <span className="account account-name">{access.full_name}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="account">
          {credentials.email}
          <br />
          {access.organization}
        </Menu.Label>
        <Menu.Item component={Link} href={YOUR_DATA}>
          Your data
        </Menu.Item>
        <Menu.Item component={Link} href={SECOND_FACTOR}>
          Second factor
        </Menu.Item>
        <Menu.Item component="a" href="/">
          How to connect a client
        </Menu.Item>
        <Menu.Item onClick={() => signOut()}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
