import '@mantine/core/styles.css';
import 'virtual:theme.css';
import './styles.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { ApiError } from './api/client.js';
import { SessionProvider } from './api/session.js';
import { App } from './shell/app.js';
import { theme } from './theme.js';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (failures, error) => error instanceof ApiError && error.isPassing && failures < 4,
      retryDelay: (failures, error) => delayOf(error, failures),
      refetchOnWindowFocus: false,
      // What has to be up to date is polled; most other requests are recorded as looks at the log.
      refetchOnReconnect: false,
    },
  },
});

/** The delay that the server requests, or else a growing one, in milliseconds. */
function delayOf(error: Error, failures: number): number {
  if (error instanceof ApiError && error.retryAfter !== null) return Math.min(error.retryAfter, 30) * 1000;
  return Math.min(1000 * 2 ** failures, 15_000);
}

const root = document.getElementById('root');
if (root === null) throw new Error('The document has no place for the console');

createRoot(root).render(
  <StrictMode>
    {/* The build writes the theme into a style sheet, because the page's policy forbids inline styles. */}
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'palimpsest-color-scheme' })}
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client}>
        <SessionProvider>
          <Router base="/console">
            <App />
          </Router>
        </SessionProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
