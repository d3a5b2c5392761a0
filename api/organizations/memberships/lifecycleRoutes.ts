import { lockMembership } from '../../../models/organizations/changeMembership.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { found } from '../../../models/errors.js';
import { readPage } from '../../../models/database/model/read.js';
import { listPeriods, subjectOf } from '../../../models/organizations/lifecycle/history.js';
import { cancelChange } from '../../../models/organizations/lifecycle/scheduleChange.js';
import { ScheduledChange } from '../../../models/organizations/lifecycle/ScheduledChange.js';
import { RowParams } from '../../http/params.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, post } from '../../http/routes.js';
import { authorizeChange } from './authorizeChange.js';
import { membershipPolicy } from './policy.js';
import { ChangeFilters, ChangeParams, MembershipPeriodJson, PeriodFilters, ScheduledChangeJson } from './schema.js';

const tags = ['organizations'];

export const membershipLifecycleRoutes = [
  get(
    '/api/memberships/:id/history/',
    {
      summary: 'What a membership was, and when; the newest first',
      rule: by(membershipPolicy, 'read_history'),
      access: 'tenant',
      tags,
      params: RowParams,
      query: PeriodFilters,
      response: pageOf(MembershipPeriodJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, membershipPolicy, 'read_history', found(await subjectOf(params.id)));
      return presentPage(await listPeriods(params.id, pageRequest(query)), query, request, (period) => period);
    },
  ),

  get(
    '/api/memberships/:id/scheduled-changes/',
    {
      summary: 'What is to change on a day to come, and what became of it; the newest first',
      rule: by(membershipPolicy, 'read_history'),
      access: 'tenant',
      tags,
      params: RowParams,
      query: ChangeFilters,
      response: pageOf(ScheduledChangeJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, membershipPolicy, 'read_history', found(await subjectOf(params.id)));
      const where = { membership_id: params.id, state: query.state };
      const list = { where, orderBy: 'membership_scheduled_changes.id DESC', ...pageRequest(query) };
      return presentPage(await readPage(ScheduledChange, list), query, request, (change) => change);
    },
  ),

  post(
    '/api/memberships/:id/scheduled-changes/:change_id/cancel/',
    {
      summary: 'Take back a change before its day',
      description: 'For whoever could ask for it: what an admin has scheduled is not for officers to cancel.',
      rule: by(membershipPolicy, 'update'),
      access: 'tenant',
      tags,
      params: ChangeParams,
      response: ScheduledChangeJson,
      errors: [organizationsErrors.change_ended],
    },
    async ({ actor, params }) => {
      const hand = authorizeChange(actor, await lockMembership(params.id), {});
      return cancelChange(params.id, params.change_id, hand);
    },
  ),
];
