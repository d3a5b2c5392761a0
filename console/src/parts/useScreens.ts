import { useRouter } from '@tanstack/react-router';
import { chosenTenant, PLATFORM_PATH, TENANT_PARAM } from '../api/tenant';

/** Splits a path with a query. The chosen organization of a platform admin stays in the address. */
function targetOf(href: string) {
  const { pathname, searchParams, hash } = new URL(href, window.location.origin);
  const tenant = chosenTenant();
  const search: Record<string, string> = Object.fromEntries(searchParams);
  if (tenant !== undefined && !pathname.startsWith(PLATFORM_PATH)) search[TENANT_PARAM] ??= tenant;
  return { to: pathname, search, hash: hash.slice(1) };
}

/**
 * Returns functions for paths with a query: `open` shows the screen, `addressOf` returns the whole address for a link.
 */
export function useScreens() {
  const router = useRouter();
  const addressOf = (href: string): string => router.buildLocation(targetOf(href)).href;
  return {
    addressOf,
    open: (href: string): void => {
      const target = targetOf(href);
      if (target.search[TENANT_PARAM] === chosenTenant()) void router.navigate(target);
      else window.location.assign(addressOf(href));
    },
  };
}
