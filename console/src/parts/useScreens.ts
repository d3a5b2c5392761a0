import { useRouter } from '@tanstack/react-router';
import { TENANT_PARAM } from '../api/tenant';

/** Splits a path with a query. The chosen organization of a platform admin stays in the address. */
function targetOf(href: string) {
  const { pathname, searchParams, hash } = new URL(href, window.location.origin);
  const tenant = new URLSearchParams(window.location.search).get(TENANT_PARAM);
  const search: Record<string, string> = Object.fromEntries(searchParams);
  if (tenant !== null) search[TENANT_PARAM] ??= tenant;
  return { to: pathname, search, hash: hash.slice(1) };
}

/**
 * Returns functions for paths with a query: `open` shows the screen, `addressOf` returns the whole address for a link.
 */
export function useScreens() {
  const router = useRouter();
  return {
    open: (href: string): void => void router.navigate(targetOf(href)),
    addressOf: (href: string): string => router.buildLocation(targetOf(href)).href,
  };
}
