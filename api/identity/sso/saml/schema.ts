import { z } from 'zod';

export const LogoutJson = z.object({ redirect_to: z.string().nullable() }).meta({ id: 'SamlLogout' });
