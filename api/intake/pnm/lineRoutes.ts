/** Bulk operations on the prospective members of a chapter. */
import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { intakeErrors } from '../../../models/intake/errors.js';
import { crossLine, previewLine } from '../../../models/intake/lines/crossLine.js';
import type { LinePlan } from '../../../models/intake/lines/planLine.js';
import { bulkMoveProspects } from '../../../models/intake/pnm/bulkMoveProspects.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { RowParams } from '../../http/params.js';
import { by } from '../../http/policy.js';
import { Answer, post } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { authorityOf, pnmPolicy } from './policy.js';
import { CrossedLineJson, LineBody, LinePreviewJson } from './lineSchema.js';
import { BulkStageMoveBody, StageOutcomesJson } from './schema.js';

const writes = { access: 'tenant', tags: ['intake'], rule: by(pnmPolicy, 'write'), params: RowParams } as const;

export const lineRoutes = [
  post(
    '/api/chapters/:id/pnm/bulk-transition/',
    {
      ...writes,
      summary: 'Move many prospective members of a chapter to the same stage',
      description: 'Each person is moved on their own: a refused move does not affect the others.',
      operationId: 'moveProspects',
      body: BulkStageMoveBody,
      response: StageOutcomesJson,
    },
    async ({ actor, params, body }) => {
      const { ids, crossed_at: crossedAt, membership_status: membershipStatus, notify_applicant, ...move } = body;
      await authorizeInChapter(actor, pnmPolicy, 'write', params.id);
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      return bulkMoveProspects(
        params.id,
        ids,
        { ...move, crossedAt, membershipStatus, notifyApplicant: notify_applicant },
        authorityOf(actor),
      );
    },
  ),

  post(
    '/api/chapters/:id/pnm/cross/',
    {
      ...writes,
      summary: 'Preview the crossing of a line, or cross it as previewed',
      description:
        'With `dry_run` the answer is 200 with a preview: which fields are carried (never their values), who cannot cross, and who is mailed. With its `preview_hash` the answer is 202: each person who could cross has crossed, all in one transaction, and a process for each carries their answers.',
      operationId: 'completeProspects',
      body: LineBody,
      response: z.union([CrossedLineJson, LinePreviewJson]),
      status: 202,
      alsoStatus: [200],
      errors: [refuse.preview_stale, intakeErrors.nobody_to_cross, organizationsErrors.chapter_not_active],
    },
    async ({ actor, params, body: { dry_run, preview_hash, ...input } }) => {
      await authorizeInChapter(actor, pnmPolicy, 'write', params.id);
      if (!(await chapterExists(params.id))) throw refuse.not_found();
      const request = {
        chapter: params.id,
        pnms: input.pnm_ids,
        crossedAt: input.crossed_at,
        membershipStatus: input.membership_status,
        lineNumbers: input.line_numbers,
      };
      const authority = authorityOf(actor);
      if (!dry_run && preview_hash) return { crossed: await crossLine(request, authority, preview_hash) };
      return new Answer(
        { dry_run: true as const, ...presentLine(await previewLine(request, authority)) },
        { status: 200 },
      );
    },
  ),
];

function presentLine({ preview_hash, members }: LinePlan) {
  const line = members.filter(({ error }) => error === null);
  const invited = line.filter(({ told_by }) => told_by === 'invitation').length;
  const totals = { crossing: line.length, refused: members.length - line.length, invited };
  return { preview_hash, totals, members };
}
