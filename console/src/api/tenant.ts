/**
 * The organization in which a platform admin works: `?organization=` of the address. All links keep it, except those to
 * pages about all organizations. The page loads again when it changes, so that no data of another organization stays.
 */
export const TENANT_PARAM = 'organization';

/** Path of the pages about all organizations. */
export const PLATFORM_PATH = '/console/platform';

export const chosenTenant = (): string | undefined =>
  new URLSearchParams(window.location.search).get(TENANT_PARAM) ?? undefined;

export const tenantAddress = (organizationId: string): string => `/console/?${TENANT_PARAM}=${organizationId}`;
