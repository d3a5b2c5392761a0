/**
 * The organization in which a platform admin works: `?organization=` of the address. All links keep it. The page loads
 * again when it changes, so that no data of another organization stays.
 */
export const TENANT_PARAM = 'organization';

export const chosenTenant = (): string | undefined =>
  new URLSearchParams(window.location.search).get(TENANT_PARAM) ?? undefined;

export const tenantAddress = (organizationId: string): string => `/console/?${TENANT_PARAM}=${organizationId}`;
