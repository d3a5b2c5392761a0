import { z } from 'zod';
import { moment } from '../../../models/fields.js';

export const DeletionJson = z
  .object({ erases_at: moment.meta({ description: 'Until then the deletion can be cancelled.' }) })
  .meta({ id: 'AccountDeletion' });
