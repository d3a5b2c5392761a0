import { z } from 'zod';
import { readReminderMails } from '../../../models/finances/reminders/readReminderMails.js';
import { day } from '../../../models/fields.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';

const ReminderQuery = z.object({
  day: day.optional().meta({ description: 'A day in the organization’s time zone; if left out, today.' }),
});

const count = z.int();

const ReminderMailsJson = z
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

const reminderPolicy = policy('reminder', { read: [nationalAdmin] });

export const reminderRoutes = routes('/api/hq/dues/:organization_id/reminders', [
  get(
    '/',
    {
      ...finances,
      summary: 'Delivery of the reminder mails of a day',
      operationId: 'getReminderMails',
      rule: by(reminderPolicy, 'read'),
      params: OrganizationParams,
      query: ReminderQuery,
      response: ReminderMailsJson,
    },
    async ({ actor, query }) => {
      authorize(actor, reminderPolicy, 'read');
      return readReminderMails(query.day ?? null);
    },
  ),
]);
