import { z } from 'zod';
import { day } from '../../../models/fields.js';

export const ReminderQuery = z.object({
  day: day.optional().meta({ description: 'A day in the organization’s time zone; if left out, today.' }),
});

const count = z.int();

export const ReminderMailsJson = z
  .object({
    day: z.iso.date(),
    workflow_id: z.string().meta({ description: 'The process that claimed the reminders, if there was one.' }),
    payers: count.meta({ description: 'Number of payers to remind on this day, each with one mail.' }),
    waiting: count.meta({ description: 'Pending mails.' }),
    mailed: count,
    skipped: count.meta({
      description: 'Nothing was due any more, the payer wants no mail, or there is no recipient.',
    }),
    failed: count,
    unknown: count.meta({ description: 'It is unknown whether these mails arrived. They are not sent again.' }),
  })
  .meta({ id: 'ReminderMails' });
