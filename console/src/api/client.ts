/** The one client of this page. Its session is in cookies that scripts cannot read. */
import { createClient } from 'chapter-membership-client';
import { chosenTenant } from './tenant';

export const client = createClient({ session: 'cookies', organizationId: chosenTenant() });
