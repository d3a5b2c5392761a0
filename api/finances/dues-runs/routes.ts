import { z } from 'zod';
import {
  type DuesPreview,
  MAX_MEMBER_LINES,
  previewDuesRun,
} from '../../../models/finances/dues-runs/previewDuesRun.js';
import { DuesRun } from '../../../models/finances/dues-runs/DuesRun.js';
import { startDuesRun } from '../../../models/finances/dues-runs/startDuesRun.js';
import { refuse } from '../../../models/errors.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { ordering } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { Answer, post, routes } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { finances } from '../fields.js';
import { DuesRunJson, DuesRunPreview, DuesRunRequest } from './schema.js';

export const duesRunPolicy = policy('dues run', { read: [nationalAdmin], write: [nationalAdmin] });

const run = resource(DuesRun, { policy: duesRunPolicy, tags: ['finances'] });

const presentPreview = (term: string, due_date: string, preview: DuesPreview) => ({
  dry_run: true as const,
  term,
  due_date,
  ...preview,
  member_lines: preview.member_lines.slice(0, MAX_MEMBER_LINES),
  has_more_member_lines: preview.member_lines.length > MAX_MEMBER_LINES,
});

export const duesRunRoutes = routes('/api/hq/dues/:organization_id/runs', [
  run.page({
    summary: 'List dues runs',
    filters: ['term', 'status'],
    ordering: ordering({ created_at: 'dues_runs.created_at', due_date: 'dues_runs.due_date' }, '-created_at'),
  }),

  post(
    '/',
    {
      ...finances,
      summary: 'Preview a dues run, or start it as previewed',
      rule: by(duesRunPolicy, 'write'),
      description:
        'With `dry_run` the answer is 200 with a preview. With its `preview_hash` the answer is 202 with the run that issues the invoices.',
      params: OrganizationParams,
      body: DuesRunRequest,
      response: z.union([DuesRunJson, DuesRunPreview]),
      status: 202,
      alsoStatus: [200],
      errors: [refuse.preview_stale, financesErrors.dues_run_in_progress, financesErrors.nothing_to_issue],
    },
    async ({ actor, body }) => {
      authorize(actor, duesRunPolicy, 'write');
      const { term, due_date, dry_run, preview_hash, chapter, notify } = body;
      if (!dry_run && preview_hash) return startDuesRun(term, due_date, preview_hash, notify);
      const preview = await previewDuesRun(term, due_date, chapter ?? null, notify);
      return new Answer(presentPreview(term, due_date, preview), { status: 200 });
    },
  ),

  run.read({ summary: 'A dues run and its progress' }),
]);
