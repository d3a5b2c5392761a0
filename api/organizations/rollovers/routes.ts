import { z } from 'zod';
import { findRow, readRow } from '../../../models/database/model/read.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { listLines } from '../../../models/organizations/rollovers/listLines.js';
import type { RolloverRequest as Requested } from '../../../models/organizations/rollovers/plan.js';
import { PREVIEW_LINES, previewRollover } from '../../../models/organizations/rollovers/previewRollover.js';
import { revertRollover } from '../../../models/organizations/rollovers/revertRollover.js';
import { Rollover } from '../../../models/organizations/rollovers/Rollover.js';
import { startRollover } from '../../../models/organizations/rollovers/startRollover.js';
import { ordering, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { LineFilters, RolloverJson, RolloverLineJson, RolloverPreview, RolloverRequest } from './schema.js';

export const rolloverPolicy = policy('rollover', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'];
const tenant = { access: 'tenant', tags } as const;
const reads = { ...tenant, rule: by(rolloverPolicy, 'read'), params: RowParams } as const;
const writes = { ...tenant, rule: by(rolloverPolicy, 'write') } as const;
const rollover = resource(Rollover, { policy: rolloverPolicy, tags });
const { nothing_to_roll_over, revert_too_late, rollover_in_progress, rollover_reverted } = organizationsErrors;

async function preview(request: Requested) {
  const { lines, without_year, ...summary } = await previewRollover(request);
  return {
    dry_run: true as const,
    academic_year: request.academicYear,
    through_season: request.throughSeason,
    to_status: request.toStatus,
    ...summary,
    lines: lines.slice(0, PREVIEW_LINES),
    has_more_lines: lines.length > PREVIEW_LINES,
    without_year: without_year.slice(0, PREVIEW_LINES),
    has_more_without_year: without_year.length > PREVIEW_LINES,
  };
}

export const rolloverRoutes = [
  ...routes('/api/organizations/:organization_id/rollovers', [
    rollover.page({
      summary: 'List rollovers',
      filters: ['status'],
      ordering: ordering({ created_at: 'rollovers.created_at' }, '-created_at'),
    }),

    post(
      '/',
      {
        ...writes,
        summary: 'Preview or confirm a rollover to alumni',
        description:
          'With `dry_run` the response is 200 with the preview. With its `preview_hash` the response is 202 with the rollover, which makes exactly the previewed changes.',
        params: OrganizationParams,
        body: RolloverRequest,
        response: z.union([RolloverJson, RolloverPreview]),
        status: 202,
        alsoStatus: [200],
        errors: [refuse.preview_stale, rollover_in_progress, nothing_to_roll_over],
      },
      async ({ actor, body }) => {
        authorize(actor, rolloverPolicy, 'write');
        const { dry_run, preview_hash, academic_year: academicYear, through_season: throughSeason } = body;
        const { to_status: toStatus, chapters = null, except } = body;
        const request = { academicYear, throughSeason, toStatus, chapters, except };
        if (!dry_run && preview_hash) return startRollover(request, preview_hash);
        return new Answer(await preview(request), { status: 200 });
      },
    ),
  ]),

  get(
    '/api/rollovers/:id/',
    { ...reads, summary: 'Get a rollover and its progress', response: RolloverJson },
    async ({ actor, params }) => {
      authorize(actor, rolloverPolicy, 'read');
      return readRow(Rollover, params.id);
    },
  ),

  get(
    '/api/rollovers/:id/lines/',
    {
      ...reads,
      summary: 'List the members of a rollover with their results',
      query: LineFilters,
      response: pageOf(RolloverLineJson),
    },
    async ({ actor, params, query, request }) => {
      authorize(actor, rolloverPolicy, 'read');
      const page = await listLines({ rollover: params.id, outcome: query.outcome, ...pageRequest(query) });
      if (page.count === 0) requireFound(await findRow(Rollover, params.id));
      return presentPage(page, query, request, (line) => line);
    },
  ),

  post(
    '/api/rollovers/:id/revert/',
    {
      ...writes,
      summary: 'Revert a rollover',
      description:
        'Possible within seven days of its end. Members whose status and role have not changed since get both back; the lines show who was kept, and why. Credit that was applied stays applied.',
      operationId: 'revertRollover',
      params: RowParams,
      response: RolloverJson,
      status: 202,
      errors: [rollover_in_progress, rollover_reverted, revert_too_late],
    },
    async ({ actor, params }) => {
      authorize(actor, rolloverPolicy, 'write');
      return revertRollover(params.id);
    },
  ),
];
