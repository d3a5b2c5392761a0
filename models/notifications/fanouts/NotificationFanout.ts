import { integer, link, moment, oneOf, tenantKeys, text, times } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';

export const FANOUT_STATUSES = ['running', 'done', 'cancelled'] as const;
export type FanoutStatus = (typeof FANOUT_STATUSES)[number];

const people = () => integer(0, 2_147_483_647);

/** A fan-out: a background process notifies a large audience in batches. The row holds its progress. */
export class NotificationFanout extends defineModel({
  table: 'notification_fanouts',
  columns: {
    ...tenantKeys,
    notification_type: text(100),
    subject_id: link(),
    cause: text(100),
    actor_id: link().nullable(),
    audience: text(100),
    audience_id: link(),
    reached_user_id: link().nullable(),
    expected: people(),
    reached: people().default(0),
    status: oneOf(FANOUT_STATUSES).default('running'),
    closed_at: moment().nullable(),
    created_at: times.created_at,
    updated_at: times.updated_at,
  },
}) {}
