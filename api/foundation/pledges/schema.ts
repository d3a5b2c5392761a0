import { z } from 'zod';
import { day, text } from '../../../models/fields.js';

export const PauseBody = z
  .strictObject({
    resume_on: day
      .nullable()
      .optional()
      .meta({ description: 'Day on which the pledge goes on; at most a year ahead.' }),
  })
  .meta({ id: 'PledgePause' });
export const CancelBody = z.strictObject({ reason: text(500).nullable().optional() }).meta({ id: 'PledgeCancel' });
