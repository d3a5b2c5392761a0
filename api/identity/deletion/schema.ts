import { z } from 'zod';
import { moment } from '../schema.js';

export const DeletionJson = z
  .object({ erases_at: moment.meta({ description: 'Until then it can be undone.' }) })
  .meta({ id: 'AccountDeletion' });
