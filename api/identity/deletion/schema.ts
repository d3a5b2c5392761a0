import { z } from 'zod';
import { moment } from '../../../models/fields.js';

export const DeletionJson = z
  .object({ erases_at: moment.meta({ description: 'Until then it can be undone.' }) })
  .meta({ id: 'AccountDeletion' });
