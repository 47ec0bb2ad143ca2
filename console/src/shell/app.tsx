import { Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import type { Access } from '../api/access.js';
import type { Credentials } from '../api/client.js';
import { SignedIn, useAccess, useSessionState } from '../api/session.js';
import { Failed, Loading } from '../components/states.js';
import { linkOf, pages, pagesFor } from '../pages.js';
import { ErrorBoundary } from './error-boundary.js';
import { Layout } from './layout.js';
import { NotForYou, NoSuchPage } from './no-page.js';
import { SignIn } from './sign-in.js';

/** The sign-in form, or the console. */
export function App() {
  const { credentials } = useSessionState();
  return credentials === null ? <SignIn /> : <Entered credentials={credentials} />;
}

function Entered({ credentials }: { readonly credentials: Credentials }) {
  const access = useAccess(credentials);
  if (access.data !== undefined)
    return (
      <SignedIn credentials={credentials} access={access.data}>
        <Layout>
          <Pages access={access.data} />
        </Layout>
      </SignedIn>
    );
  if (access.error === null) return <Loading of="the console" />;
  return <Failed error={access.error} retry={() => void access.refetch()} />;
}

function Pages({ access }: { readonly access: Access }) {
  const allowed = pagesFor(access);
  const first = allowed.map(linkOf).find((link) => link !== null);
  return (
    <Suspense fallback={<Loading of="the page" />}>
      <Switch>
        {pages.map((page) => (
          <Route key={page.path} path={page.path}>
            <ErrorBoundary>
              {allowed.includes(page) ? <page.component /> : <NotForYou page={page} access={access} />}
            </ErrorBoundary>
          </Route>
        ))}
        <Route path="/">
          {first === undefined ? <NotForYou page={null} access={access} /> : <Redirect to={first} replace />}
        </Route>
        <Route>
          <NoSuchPage />
        </Route>
      </Switch>
    </Suspense>
  );
}
