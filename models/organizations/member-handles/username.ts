import { z } from 'zod';

/** A user name by which texts of an organization mention a person. */
export const username = z
  .string()
  .regex(/^[a-z0-9._-]{3,30}$/, 'Must have 3 to 30 of these characters: a-z, 0-9, full stop, underscore and hyphen.')
  .meta({ example: 'ada.lovelace' });
