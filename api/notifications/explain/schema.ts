import { z } from 'zod';
import { EXPLAINED_CHANNELS, OUTCOMES, RESULTS } from '../../../models/notifications/explain.js';
import { EVENT_TYPES } from '../../../models/notifications/eventTypes.js';
import { moment, recordId } from '../../../models/fields.js';

export const ExplainQuery = z.object({
  subject: z
    .string()
    .regex(
      /^[a-z_]{1,100}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      'Must be a kind of subject and an id: invoice:<id>.',
    )
    .transform((text) => {
      const at = text.indexOf(':');
      return { type: text.slice(0, at), id: text.slice(at + 1).toLowerCase() };
    })
    .meta({
      description: 'The subject of the notification, for example `invoice:<id>`.',
      override: { type: 'string' },
    }),
  user: recordId
    .optional()
    .meta({ description: 'For admins: the person to explain. The request is written to the audit log.' }),
});

const ChannelJson = z
  .object({
    outcome: z.enum(OUTCOMES),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was not delivered, or not yet.', example: 'preference_off' }),
    at: moment
      .nullable()
      .meta({ description: 'The time of the decision; while it waits, the time until which it waits.' }),
    checks: z
      .array(z.object({ rule: z.string(), result: z.enum(RESULTS) }))
      .meta({ description: 'The rules in the order in which they are evaluated.' }),
    you_can_change: z.boolean(),
  })
  .meta({ id: 'ChannelExplanation' });

const [inApp, email, push] = EXPLAINED_CHANNELS;
export const ExplanationJson = z
  .object({
    notification: z.uuid().nullable().meta({ description: 'Null: there is no notification; the rules say why.' }),
    notification_type: z.string(),
    event_type: z.enum(EVENT_TYPES),
    subject: z.object({ type: z.string(), id: z.uuid() }),
    [inApp]: ChannelJson,
    [email]: ChannelJson,
    [push]: ChannelJson,
  })
  .meta({ id: 'NotificationExplanation' });

export const ExplanationsJson = z
  .object({ results: z.array(ExplanationJson) })
  .meta({ id: 'NotificationExplanations' });
