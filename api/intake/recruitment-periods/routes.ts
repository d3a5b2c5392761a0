import { readRow } from '../../../models/database/model/read.js';
import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { changePeriod, createPeriod, removePeriod } from '../../../models/intake/recruitment-periods/editPeriods.js';
import { readStatistics } from '../../../models/intake/recruitment-periods/readStatistics.js';
import { RecruitmentPeriod } from '../../../models/intake/recruitment-periods/RecruitmentPeriod.js';
import {
  activatePeriod,
  closePeriod,
  previewClosing,
  reopenPeriod,
} from '../../../models/intake/recruitment-periods/turnPeriod.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { anyone, authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { Answer, del, get, patch, post, routes } from '../../http/routes.js';
import {
  CloseBody,
  ClosePreviewJson,
  MAX_PREVIEW_PEOPLE,
  RecruitmentPeriodCreate,
  RecruitmentPeriodEdit,
  RecruitmentPeriodJson,
  ReopenBody,
  StatisticsJson,
} from './schema.js';
import { z } from 'zod';

const recruitmentPeriodPolicy = policy('recruitment period', {
  read: [anyone],
  read_statistics: [nationalAdmin],
  write: [nationalAdmin],
});

const tags = ['intake'];
const period = resource(RecruitmentPeriod, { policy: recruitmentPeriodPolicy, tags });
const writes = { access: 'tenant', tags, rule: by(recruitmentPeriodPolicy, 'write') } as const;
const row = { ...writes, params: RowParams, response: RecruitmentPeriodJson } as const;
const ONE = '/api/recruitment-periods/:id/';
const { period_already_active, period_not_active, period_not_closed, period_not_draft } = intakeErrors;

/** Warns an admin before people are rejected without a message. */
function warningsOf({ undecided, told }: { undecided: number; told: number }): string[] {
  if (told === undecided) return [];
  const subject = told === 0 ? 'No one is notified' : `${undecided - told} of ${undecided} people are not notified`;
  return [`${subject} that they are rejected: people without an account get no message. Write to them yourself.`];
}

async function preview(id: string) {
  const { preview_hash, undecided } = await previewClosing(id);
  const totals = { undecided: undecided.length, told: undecided.filter(({ is_told }) => is_told).length };
  return {
    dry_run: true as const,
    preview_hash,
    totals,
    warnings: warningsOf(totals),
    undecided: undecided.slice(0, MAX_PREVIEW_PEOPLE),
    has_more: undecided.length > MAX_PREVIEW_PEOPLE,
  };
}

export const recruitmentPeriodRoutes = [
  ...routes('/api/organizations/:organization_id/recruitment-periods', [
    period.page({
      summary: 'Recruitment periods, the latest first',
      filters: ['status'],
      ordering: ordering({ opens_at: 'recruitment_periods.opens_at' }, '-opens_at'),
    }),

    post(
      '/',
      {
        ...writes,
        summary: 'Draft a recruitment period',
        description: 'One period a term, for the whole organization.',
        params: OrganizationParams,
        body: RecruitmentPeriodCreate,
        response: RecruitmentPeriodJson,
        status: 201,
        errors: [refuse.duplicate],
      },
      async ({ actor, body: { term: term_id, ...fields } }) => {
        authorize(actor, recruitmentPeriodPolicy, 'write');
        return readRow(RecruitmentPeriod, await createPeriod({ ...fields, term_id }));
      },
    ),
  ]),

  get(
    ONE,
    { ...row, rule: by(recruitmentPeriodPolicy, 'read'), summary: 'A recruitment period' },
    async ({ actor, params }) => {
      authorize(actor, recruitmentPeriodPolicy, 'read');
      return readRow(RecruitmentPeriod, params.id);
    },
  ),

  patch(
    ONE,
    { ...row, summary: 'Change a recruitment period', body: RecruitmentPeriodEdit, errors: [refuse.stale_version] },
    async ({ actor, params, body }) => {
      authorize(actor, recruitmentPeriodPolicy, 'write');
      await changePeriod(params.id, body);
      return readRow(RecruitmentPeriod, params.id);
    },
  ),

  del(
    ONE,
    { ...writes, params: RowParams, summary: 'Delete a draft', errors: [period_not_draft] },
    async ({ actor, params }) => {
      authorize(actor, recruitmentPeriodPolicy, 'write');
      await removePeriod(params.id);
    },
  ),

  post(
    `${ONE}activate/`,
    {
      ...row,
      summary: 'Activate a recruitment period',
      description:
        'Applications are accepted from opens_at to closes_at. At most one period of an organization is active.',
      operationId: 'startRecruitmentPeriod',
      errors: [period_already_active, period_not_draft],
    },
    async ({ actor, params }) => {
      authorize(actor, recruitmentPeriodPolicy, 'write');
      await activatePeriod(params.id);
      return readRow(RecruitmentPeriod, params.id);
    },
  ),

  post(
    `${ONE}close/`,
    {
      ...row,
      summary: 'Preview the closing of a period, or close it as previewed',
      description:
        'With `dry_run` the answer is 200 with a preview. With its `preview_hash` the answer is 202: no more applications are accepted, and a process rejects the undecided people.',
      operationId: 'endRecruitmentPeriod',
      body: CloseBody,
      response: z.union([RecruitmentPeriodJson, ClosePreviewJson]),
      status: 202,
      alsoStatus: [200],
      errors: [refuse.preview_stale, period_not_active],
    },
    async ({ actor, params, body: { dry_run, preview_hash } }) => {
      authorize(actor, recruitmentPeriodPolicy, 'write');
      if (dry_run || !preview_hash) return new Answer(await preview(params.id), { status: 200 });
      await closePeriod(params.id, preview_hash);
      return readRow(RecruitmentPeriod, params.id);
    },
  ),

  post(
    `${ONE}reopen/`,
    {
      ...row,
      summary: 'Reopen a recruitment period',
      description: 'People rejected by the closing return to their previous stage. Decisions since then stay.',
      operationId: 'resumeRecruitmentPeriod',
      body: ReopenBody,
      status: 202,
      errors: [period_already_active, period_not_closed],
    },
    async ({ actor, params, body }) => {
      authorize(actor, recruitmentPeriodPolicy, 'write');
      await reopenPeriod(params.id, body.reason);
      return readRow(RecruitmentPeriod, params.id);
    },
  ),

  get(
    `${ONE}statistics/`,
    {
      ...writes,
      rule: by(recruitmentPeriodPolicy, 'read_statistics'),
      summary: 'Prospective members of a period, by chapter and stage; a bare array',
      operationId: 'getRecruitmentStatistics',
      params: RowParams,
      response: StatisticsJson,
    },
    async ({ actor, params }) => {
      authorize(actor, recruitmentPeriodPolicy, 'read_statistics');
      await readRow(RecruitmentPeriod, params.id);
      return readStatistics(params.id);
    },
  ),
];
