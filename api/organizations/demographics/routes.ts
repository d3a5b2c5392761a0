import { found, refuse } from '../../../models/errors.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { subjectOf } from '../../../models/organizations/lifecycle/history.js';
import {
  changeDemographics,
  type DemographicsEdit as Edit,
  noteReading,
  readDemographics,
} from '../../../models/organizations/profiles/demographics.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, patch, put } from '../../http/routes.js';
import { demographicsPolicy } from './policy.js';
import { DemographicsEdit, DemographicsJson } from './schema.js';

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

/** @throws Refusal not_found also for those who may not: whether there is something is nobody else's business */
async function personOf(actor: Actor, action: 'read' | 'write', membershipId: string): Promise<string> {
  const { status, ...subject } = found(await subjectOf(membershipId));
  const isOver = status === 'inactive' || status === 'disaffiliated';
  // A chapter that somebody has left reads nothing of them any more.
  const chapter_id = isOver ? null : subject.chapter_id;
  if (!may(actor, demographicsPolicy, action, { ...subject, chapter_id })) throw refuse.not_found();
  return subject.user_id;
}

async function change(actor: Actor, membershipId: string, edit: Edit) {
  const userId = await personOf(actor, 'write', membershipId);
  await changeDemographics(userId, edit);
  return readDemographics(userId);
}

export const demographicsRoutes = [
  get(
    PATH,
    {
      ...shared,
      summary: 'What a member says of themselves to few',
      description:
        'For the member, officers of the chapter, and admins of its region and of the organization; 404 for everybody else. Closed to an admin who sees the platform as somebody. Who reads those of another is on record.',
      operationId: 'getMemberDemographics',
      rule: by(demographicsPolicy, 'read'),
      writes: true,
    },
    async ({ actor, params }) => {
      const userId = await personOf(actor, 'read', params.id);
      if (userId !== actor.userId) await noteReading(userId);
      return readDemographics(userId);
    },
  ),

  put(
    PATH,
    {
      ...writes,
      errors,
      summary: 'Say all of it anew',
      description: 'By the member alone. What is left out is said no more.',
      operationId: 'replaceMemberDemographics',
    },
    ({ actor, params, body: { version, ...said } }) => {
      const nothing = { ethnicity: null, gender: null, pronouns: null, first_generation: null };
      const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
      return change(actor, params.id, { ...nothing, ...given, version });
    },
  ),

  patch(
    PATH,
    {
      ...writes,
      errors,
      summary: 'Change some of it',
      description: 'By the member alone.',
      operationId: 'changeMemberDemographics',
    },
    ({ actor, params, body }) => change(actor, params.id, body),
  ),
];
