import { requireFound, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { findMembershipSubject } from '../../../models/organizations/lifecycle/history.js';
import {
  changeDemographics,
  type DemographicsEdit as Edit,
  auditDemographicsRead,
  readDemographics,
} from '../../../models/organizations/profiles/demographics.js';
import { RowParams } from '../../http/params.js';
import {
  by,
  may,
  officerOfChapterInPerson,
  organizationAdmin,
  policy,
  regionalAdminOfChapterInPerson,
  self,
} from '../../http/policy.js';
import { get, patch, put } from '../../http/routes.js';
import { DemographicsEdit, DemographicsJson } from './schema.js';

/** Platform admins are excluded (spec: carry-forward, rule 7). */
const demographicsPolicy = policy('member demographics', {
  read: [self, officerOfChapterInPerson, organizationAdmin, regionalAdminOfChapterInPerson],
  write: [self],
});

const PATH = '/api/memberships/:id/demographics/';
const shared = {
  access: 'tenant',
  tags: ['organizations'],
  impersonation: 'closed',
  params: RowParams,
  response: DemographicsJson,
} as const;
const writes = { ...shared, rule: by(demographicsPolicy, 'write'), body: DemographicsEdit } as const;
const errors = [refuse.stale_version];

/**
 * Returns the id of the person whose demographics the actor may access.
 * @throws Refusal not_found also when access is denied, so that the response does not reveal whether data exists
 */
async function authorizedPerson(actor: Actor, action: 'read' | 'write', membershipId: string): Promise<string> {
  const { status, ...subject } = requireFound(await findMembershipSubject(membershipId));
  const hasEnded = status === 'inactive' || status === 'disaffiliated';
  // After a membership has ended, officers of its chapter may no longer read the person's data.
  const chapter_id = hasEnded ? null : subject.chapter_id;
  if (!may(actor, demographicsPolicy, action, { ...subject, chapter_id })) throw refuse.not_found();
  return subject.user_id;
}

async function change(actor: Actor, membershipId: string, edit: Edit) {
  const userId = await authorizedPerson(actor, 'write', membershipId);
  await changeDemographics(userId, edit);
  return readDemographics(userId);
}

export const demographicsRoutes = [
  get(
    PATH,
    {
      ...shared,
      summary: 'Get the demographics of a member',
      description:
        'Visible to the member, officers of the chapter, and admins of its region and of the organization; 404 for all others. Not available during impersonation. Reading the demographics of another person is recorded.',
      operationId: 'getMemberDemographics',
      rule: by(demographicsPolicy, 'read'),
      writes: true,
    },
    async ({ actor, params }) => {
      const userId = await authorizedPerson(actor, 'read', params.id);
      if (userId !== actor.userId) await auditDemographicsRead(userId);
      return readDemographics(userId);
    },
  ),

  put(
    PATH,
    {
      ...writes,
      errors,
      summary: 'Replace your demographics',
      description: 'Only the member may do this. Omitted fields are cleared.',
      operationId: 'replaceMemberDemographics',
    },
    ({ actor, params, body: { version, ...fields } }) => {
      const empty = { ethnicity: null, gender: null, pronouns: null, first_generation: null };
      const providedFields = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
      return change(actor, params.id, { ...empty, ...providedFields, version });
    },
  ),

  patch(
    PATH,
    {
      ...writes,
      errors,
      summary: 'Change your demographics',
      description: 'Only the member may do this.',
      operationId: 'changeMemberDemographics',
    },
    ({ actor, params, body }) => change(actor, params.id, body),
  ),
];
