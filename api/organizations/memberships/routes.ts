import { refuse } from '../../../models/errors.js';
import { addMember } from '../../../models/organizations/addMember.js';
import { changeMembership, lockMembership } from '../../../models/organizations/changeMembership.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { found } from '../../../models/organizations/found.js';
import { listRoster, readMembership } from '../../../models/organizations/memberships.js';
import { isTrusted } from '../../../models/organizations/vocabulary.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, may } from '../../http/policy.js';
import { get, patch, post } from '../../http/routes.js';
import { authorizeInChapter } from '../../http/authorizeInChapter.js';
import { ChapterParams } from '../chapters/schema.js';
import { authorizeChange } from './authorizeChange.js';
import { membershipPolicy } from './policy.js';
import { presentMembership } from './present.js';
import { MemberCreate, MembershipEdit, MembershipJson, MembershipParams, RosterFilters } from './schema.js';

const tags = ['organizations'];

export const membershipRoutes = [
  get(
    '/api/chapters/:id/members/',
    {
      summary: 'The roster of a chapter',
      access: 'tenant',
      tags,
      params: ChapterParams,
      query: RosterFilters,
      response: pageOf(MembershipJson),
    },
    async ({ actor, params, query, request }) => {
      await authorizeInChapter(actor, membershipPolicy, 'read', params.id);
      const { status, role, pledge_class: pledgeClass, graduation_year: graduationYear, search } = query;
      const searchesEmail = may(actor, membershipPolicy, 'read_contact', { chapter_id: params.id });
      const filters = { status, role, pledgeClass, graduationYear, search, searchesEmail, orderBy: query.ordering };
      const page = await listRoster({ chapter: params.id, ...filters, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => presentMembership(actor, row));
    },
  ),

  post(
    '/api/chapters/:id/members/',
    {
      summary: 'Add a member',
      access: 'tenant',
      tags,
      params: ChapterParams,
      body: MemberCreate,
      response: MembershipJson,
      status: 201,
      errors: [organizationsErrors.membership_exists],
    },
    async ({ actor, params, body }) => {
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      const subject = { chapter_id: params.id };
      authorize(actor, membershipPolicy, 'add', subject);
      if (isTrusted(body.role)) authorize(actor, membershipPolicy, 'govern', subject);
      return presentMembership(actor, found(await readMembership(await addMember(params.id, body))));
    },
  ),

  get(
    '/api/memberships/:id/',
    { summary: 'A membership', access: 'tenant', tags, params: MembershipParams, response: MembershipJson },
    async ({ actor, params }) => {
      const membership = found(await readMembership(params.id));
      const { id: membership_id, chapter: chapter_id, user: user_id } = membership;
      authorize(actor, membershipPolicy, 'read', { membership_id, chapter_id, user_id });
      return presentMembership(actor, membership);
    },
  ),

  patch(
    '/api/memberships/:id/',
    {
      summary: 'Change role, status or profile; a terminal status settles what is due from credit',
      access: 'tenant',
      tags,
      params: MembershipParams,
      body: MembershipEdit,
      response: MembershipJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      const membership = await lockMembership(params.id);
      authorizeChange(actor, membership, body);
      await changeMembership(membership, body);
      return presentMembership(actor, found(await readMembership(params.id)));
    },
  ),
];
