import { z } from 'zod';
import { readRow } from '../../../models/database/model/read.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { pageStatement, type PageText } from '../../../models/database/page.js';
import { addMember } from '../../../models/organizations/addMember.js';
import { lockForStatus, lockMembership } from '../../../models/organizations/changeMembership.js';
import { requireActiveChapter } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { invitationErrors } from '../../../models/organizations/invitations/errors.js';
import { inviteAgain } from '../../../models/organizations/invitations/inviteAgain.js';
import { changeOrSchedule } from '../../../models/organizations/lifecycle/scheduleChange.js';
import { MemberAddRequest } from '../../../models/organizations/member-add-requests/MemberAddRequest.js';
import {
  listRoster,
  readMembership,
  type RosterRequest,
  rosterPage,
} from '../../../models/organizations/memberships.js';
import { requestErrors } from '../../../models/organizations/requests/errors.js';
import { isTrusted } from '../../../models/organizations/vocabulary.js';
import { pageAsText, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, may } from '../../http/policy.js';
import { Answer, get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../authorizeInChapter.js';
import { fileRequestInstead } from './fileRequestInstead.js';
import { authorizeChange } from './authorizeChange.js';
import { membershipPolicy } from './policy.js';
import { presentMembership } from './present.js';
import { MemberCreate, MembershipEdit, MembershipJson, RosterFilters, ScheduledChangeJson } from './schema.js';
import { RowParams } from '../../http/params.js';

const tags = ['organizations'];

const rosterQuery = (
  { id: chapter }: z.output<typeof RowParams>,
  query: z.output<typeof RosterFilters>,
  searchesEmail: boolean,
): RosterRequest => {
  const { on, status, role, pledge_class: pledgeClass, graduation_year: graduationYear, search } = query;
  const orderBy = query.ordering;
  return {
    chapter,
    on,
    status,
    role,
    pledgeClass,
    graduationYear,
    search,
    searchesEmail,
    orderBy,
    ...pageRequest(query),
  };
};

export const membershipRoutes = [
  get(
    '/api/chapters/:id/members/',
    {
      summary: 'List the members of a chapter',
      rule: by(membershipPolicy, 'read', 'read_contact'),
      access: 'tenant',
      tags,
      params: RowParams,
      query: RosterFilters,
      response: pageOf(MembershipJson),
      singleMessageRead: {
        // The fields that a search may use depend on the actor's rights, so searches do not use the fast path.
        statement: ({ params, query }) =>
          query.search ? null : pageStatement(rosterPage(rosterQuery(params, query, true))),
        answer: ({ actor, params, query, request }, row) =>
          may(actor, membershipPolicy, 'read_contact', { chapter_id: params.id })
            ? pageAsText(row as unknown as PageText, query, request)
            : null,
      },
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, membershipPolicy, 'read', params.id);
      const searchesEmail = may(actor, membershipPolicy, 'read_contact', { chapter_id: params.id });
      const page = await listRoster(rosterQuery(params, query, searchesEmail));
      return presentPage(page, query, request, (row) => presentMembership(actor, row));
    },
  ),

  post(
    '/api/chapters/:id/members/',
    {
      summary: 'Add a member',
      rule: by(membershipPolicy, 'add'),
      description:
        'A person without an account gets an invitation by mail, and has no access before accepting it. ' +
        'If officers add members by request in this chapter, the response is 202 with the filed request.',
      access: 'tenant',
      tags,
      params: RowParams,
      body: MemberCreate,
      response: z.union([MembershipJson, rowJson(MemberAddRequest)]),
      status: 201,
      alsoStatus: [202],
      errors: [
        organizationsErrors.membership_exists,
        organizationsErrors.not_in_active_standing,
        requestErrors.request_open,
        organizationsErrors.chapter_not_active,
        organizationsErrors.office_taken,
      ],
    },
    async ({ actor, params, body }) => {
      const request = await fileRequestInstead(actor, params.id, body);
      if (request !== null) return new Answer(await readRow(MemberAddRequest, request), { status: 202 });
      const { justification: _unasked, ...member } = body;
      return presentMembership(actor, requireFound(await readMembership(await addMember(params.id, member))));
    },
  ),

  post(
    '/api/memberships/:id/invite/',
    {
      summary: 'Resend the invitation',
      rule: by(membershipPolicy, 'add'),
      description: 'Sends a new link that is valid for 30 days. The previous link becomes invalid. At most once a day.',
      operationId: 'inviteMemberAgain',
      access: 'tenant',
      tags,
      params: RowParams,
      response: MembershipJson,
      errors: [
        invitationErrors.already_invited,
        invitationErrors.invitation_closed,
        organizationsErrors.chapter_not_active,
      ],
    },
    async ({ actor, params }) => {
      const { id, chapter_id, role } = await lockMembership(params.id);
      authorize(actor, membershipPolicy, 'add', { chapter_id });
      if (isTrusted(role)) authorize(actor, membershipPolicy, 'govern', { chapter_id });
      await requireActiveChapter(chapter_id);
      await inviteAgain('membership_id', id);
      return presentMembership(actor, requireFound(await readMembership(id)));
    },
  ),

  get(
    '/api/memberships/:id/',
    {
      summary: 'Get a membership',
      rule: by(membershipPolicy, 'read'),
      access: 'tenant',
      tags,
      params: RowParams,
      response: MembershipJson,
    },
    async ({ actor, params }) => {
      const membership = requireFound(await readMembership(params.id));
      const { id: membership_id, chapter: chapter_id, user: user_id } = membership;
      authorize(actor, membershipPolicy, 'read', { membership_id, chapter_id, user_id });
      return presentMembership(actor, membership);
    },
  ),

  patch(
    '/api/memberships/:id/',
    {
      summary: 'Change the role, status or fields of a membership',
      description:
        'A terminal status pays open invoices from credit. A status that is not in active standing (undergrad, associate, active_alumni, lifetime_alumni) ends the role of officer or president: the role becomes member, or alumni with status alumni. The docs on members list the allowed transitions; 409 transition_not_allowed names those that are possible. With a future `effective_on` nothing changes yet: the response is 202 with the scheduled change.',
      rule: by(membershipPolicy, 'update'),
      access: 'tenant',
      tags,
      params: RowParams,
      body: MembershipEdit,
      response: z.union([MembershipJson, ScheduledChangeJson]),
      alsoStatus: [202],
      errors: [
        refuse.stale_version,
        organizationsErrors.not_in_active_standing,
        organizationsErrors.transition_not_allowed,
        organizationsErrors.later_change_exists,
        organizationsErrors.change_scheduled,
        organizationsErrors.office_taken,
        organizationsErrors.chapter_not_active,
        organizationsErrors.person_gone,
      ],
    },
    async ({ actor, params, body: { effective_on: effectiveOn, reason, ...edit } }) => {
      const membership = await (edit.status === undefined ? lockMembership : lockForStatus)(params.id);
      const authority = authorizeChange(actor, membership);
      const scheduled = await changeOrSchedule(membership, edit, { authority, reason, effectiveOn });
      if (scheduled) return new Answer(scheduled, { status: 202 });
      return presentMembership(actor, requireFound(await readMembership(params.id)));
    },
  ),
];
