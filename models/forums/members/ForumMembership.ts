import { link, moment, oneOf, stamps, tenantKeys, text, yesOrNo } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { MEMBER_ROLES, MEMBER_STATUSES } from '../vocabulary.js';

/** A person in a forum: a current or former member, an invited person, or a person who requested to join. */
export class ForumMembership extends defineModel({
  table: 'forum_memberships',
  columns: {
    ...tenantKeys,
    forum_id: link().fixed(),
    user_id: link().fixed(),
    role: oneOf(MEMBER_ROLES).default('member'),
    status: oneOf(MEMBER_STATUSES).serverSet(),
    status_since: moment().computed('now()'),
    by_invitation: yesOrNo().default(false).serverSet(),
    invited_by: link().nullable().serverSet(),
    invitation_expires_at: moment().nullable(),
    message: text(1000).nullable(),
    decided_by: link().nullable().serverSet(),
    note: text(1000).nullable(),
    ...stamps,
  },
  triggers: {
    forum_memberships_count_added: ['forums'],
    forum_memberships_count_changed: ['forums'],
    forum_memberships_follow_added: ['forum_subscriptions', 'notification_deliveries', 'notifications'],
    forum_memberships_follow_changed: ['forum_subscriptions', 'notification_deliveries', 'notifications'],
  },
}) {}
