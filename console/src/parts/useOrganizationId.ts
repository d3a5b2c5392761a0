import { useMe } from '../session/me';

/** Returns the id of the organization in which the person works; empty for a platform admin who has chosen none. */
export const useOrganizationId = (): string => useMe().data?.organization?.id ?? '';
