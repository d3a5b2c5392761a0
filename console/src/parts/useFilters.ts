import { useNavigate, useSearch } from '@tanstack/react-router';

type Filters = Record<string, string | undefined>;

/**
 * Reads and changes the filters of a screen, which are in the address, so that a link shows the same rows. A change of a
 * filter shows the first page again; back in the browser undoes it.
 */
export function useFilters(): [Filters, (change: Filters) => void] {
  const filters: Filters = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (changed: Filters): void => {
    const search = (before: Filters) => withoutEmpty({ ...before, page: undefined, ...changed });
    void navigate({ to: '.', search });
  };
  return [filters, change];
}

const withoutEmpty = (filters: Filters): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined && value !== ''));
