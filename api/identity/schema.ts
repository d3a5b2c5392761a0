/** What several answers of the area have in common. */
import { z } from 'zod';

const native = 'Native clients only; browsers get cookies.';

/** In answers that hand out tokens. */
export const tokenFields = {
  access_token: z
    .string()
    .optional()
    .meta({ description: `${native} Holds for 30 minutes.` }),
  refresh_token: z
    .string()
    .optional()
    .meta({ description: `${native} Holds for 24 hours, and for one use.` }),
  expires_in: z
    .int()
    .optional()
    .meta({ description: `${native} Seconds that the access token holds.`, example: 1800 }),
};

/** In bodies that take a refresh token. */
export const refreshTokenField = {
  refresh_token: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: 'From native clients; browsers send the cookie.' }),
};

export const organizationField = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Id or slug.', example: 'alpha-beta' });

export const AccountJson = z
  .object({
    id: z.uuid(),
    email: z.string().meta({ example: 'jordan@example.org' }),
    first_name: z.string(),
    last_name: z.string(),
    is_platform_admin: z.boolean(),
    must_change_password: z.boolean().meta({ description: 'Until it is changed, only that may be done.' }),
  })
  .meta({ id: 'Account' });

export const AccountOrganizationJson = z
  .object({ id: z.uuid(), name: z.string(), slug: z.string() })
  .meta({ id: 'AccountOrganization' });
