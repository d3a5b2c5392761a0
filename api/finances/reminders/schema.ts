import { z } from 'zod';
import { day } from '../../../models/fields.js';

export const ReminderQuery = z.object({
  day: day.optional().meta({ description: 'A day of the organization; left out: its own today.' }),
});

const count = z.int();

export const ReminderMailsJson = z
  .object({
    day: z.iso.date(),
    workflow_id: z.string().meta({ description: 'The process that claimed them, where it was one.' }),
    payers: count.meta({ description: 'Who was to be reminded on this day, each in one mail.' }),
    waiting: count.meta({ description: 'Mails that are on their way.' }),
    mailed: count,
    skipped: count.meta({
      description:
        'Nothing was left of them when they were to go out, or their reader wants no mail, or there is nobody to tell.',
    }),
    failed: count,
    unknown: count.meta({ description: 'Nobody knows whether they arrived. They are not sent again.' }),
  })
  .meta({ id: 'ReminderMails' });
