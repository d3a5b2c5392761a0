import { z } from 'zod';
import { lockMembership } from '../../../models/organizations/changeMembership.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { readMembership } from '../../../models/organizations/memberships.js';
import { readMove } from '../../../models/organizations/transfers/lockMove.js';
import { previewTransfer } from '../../../models/organizations/transfers/previewTransfer.js';
import { transferAsPreviewed } from '../../../models/organizations/transfers/transferOrSchedule.js';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { listPeriods, findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
import { cancelChange } from '../../../models/organizations/lifecycle/cancelChanges.js';
import { ScheduledChange } from '../../../models/organizations/lifecycle/ScheduledChange.js';
import { RowParams } from '../../http/params.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { Answer, get, post } from '../../http/routes.js';
import { authorizeChange } from './authorizeChange.js';
import { membershipPolicy } from './policy.js';
import { presentMembership } from './present.js';
import {
  ChangeFilters,
  ChangeParams,
  MembershipJson,
  MembershipPeriodJson,
  PeriodFilters,
  ScheduledChangeJson,
  TransferBody,
  TransferPreviewJson,
} from './schema.js';

const tags = ['organizations'];

export const membershipLifecycleRoutes = [
  get(
    '/api/memberships/:id/history/',
    {
      summary: 'List the history of a membership, newest first',
      rule: by(membershipPolicy, 'read_history'),
      access: 'tenant',
      tags,
      params: RowParams,
      query: PeriodFilters,
      response: pageOf(MembershipPeriodJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, membershipPolicy, 'read_history', requireFound(await findMembershipSubject(params.id)));
      return presentPage(await listPeriods(params.id, pageRequest(query)), query, request, (period) => period);
    },
  ),

  get(
    '/api/memberships/:id/scheduled-changes/',
    {
      summary: 'List the scheduled changes of a membership, newest first',
      rule: by(membershipPolicy, 'read_history'),
      access: 'tenant',
      tags,
      params: RowParams,
      query: ChangeFilters,
      response: pageOf(ScheduledChangeJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, membershipPolicy, 'read_history', requireFound(await findMembershipSubject(params.id)));
      const where = { membership_id: params.id, state: query.state };
      const list = { where, orderBy: 'membership_scheduled_changes.id DESC', ...pageRequest(query) };
      return presentPage(await readPage(ScheduledChange, list), query, request, (change) => change);
    },
  ),

  post(
    '/api/memberships/:id/scheduled-changes/:change_id/cancel/',
    {
      summary: 'Cancel a scheduled change',
      description:
        'Requires the authority to make the change: officers cannot cancel a change that an admin has scheduled.',
      rule: by(membershipPolicy, 'update'),
      access: 'tenant',
      tags,
      params: ChangeParams,
      response: ScheduledChangeJson,
      errors: [organizationsErrors.change_ended],
    },
    async ({ actor, params }) => {
      const authority = authorizeChange(actor, await lockMembership(params.id));
      return cancelChange(params.id, params.change_id, authority);
    },
  ),

  post(
    '/api/memberships/:id/transfer/',
    {
      summary: 'Preview or confirm a transfer to another chapter',
      description:
        'With `dry_run` the response is 200 with the preview. With its `preview_hash` the response is 201 with the new membership or, for a future day, 202 with the scheduled change.',
      operationId: 'transferMembership',
      rule: by(membershipPolicy, 'decide'),
      access: 'tenant',
      tags,
      params: RowParams,
      body: TransferBody,
      response: z.union([MembershipJson, TransferPreviewJson, ScheduledChangeJson]),
      status: 201,
      alsoStatus: [200, 202],
      errors: [
        refuse.preview_stale,
        organizationsErrors.transfer_in_progress,
        organizationsErrors.transition_not_allowed,
        organizationsErrors.chapter_not_active,
        organizationsErrors.membership_exists,
        organizationsErrors.later_change_exists,
        organizationsErrors.change_scheduled,
        identityErrors.invitation_open,
      ],
    },
    async ({ actor, params, body: { to_chapter: to, effective_on: on, dry_run, preview_hash } }) => {
      authorize(actor, membershipPolicy, 'decide', requireFound(await findMembershipSubject(params.id)));
      if (dry_run || preview_hash === undefined) {
        const preview = await previewTransfer(await readMove(params.id, to), on);
        return new Answer({ dry_run: true as const, ...preview }, { status: 200 });
      }
      const { membership, scheduled } = await transferAsPreviewed(params.id, to, on, preview_hash);
      if (scheduled) return new Answer(await readRow(ScheduledChange, scheduled), { status: 202 });
      return presentMembership(actor, requireFound(await readMembership(membership as string)));
    },
  ),
];
