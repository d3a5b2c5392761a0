/** Schema fields that several responses of the area share. */
import { z } from 'zod';

const native = 'Native clients only; browsers get cookies.';

/** Fields of responses that return tokens. */
export const tokenFields = {
  access_token: z
    .string()
    .optional()
    .meta({ description: `${native} Valid for 30 minutes.` }),
  refresh_token: z
    .string()
    .optional()
    .meta({ description: `${native} Valid for 24 hours and one use.` }),
  expires_in: z
    .int()
    .optional()
    .meta({ description: `${native} Lifetime of the access token in seconds.`, example: 1800 }),
};

/** Fields of bodies that accept a refresh token. */
export const refreshTokenField = {
  refresh_token: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: 'For native clients; browsers send the cookie.' }),
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
    must_change_password: z
      .boolean()
      .meta({ description: 'Whether the password must be changed first. Until then other operations are refused.' }),
  })
  .meta({ id: 'Account' });

export const AccountOrganizationJson = z
  .object({ id: z.uuid(), name: z.string(), slug: z.string() })
  .meta({ id: 'AccountOrganization' });
