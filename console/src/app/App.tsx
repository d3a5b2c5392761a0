import I18nProvider from '@cloudscape-design/components/i18n';
import english from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { router } from './router';

/** Reads are repeated by the client where that is safe, so not here again. */
const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });

export function App() {
  return (
    <I18nProvider locale="en" messages={[english]}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  );
}
