import { z } from 'zod';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { AnnualReceiptRun } from '../../../models/foundation/receipts/AnnualReceiptRun.js';
import {
  type AnnualReceiptsPreview as Preview,
  MAX_PREVIEW_LINES,
  previewAnnualReceipts,
} from '../../../models/foundation/receipts/previewAnnualReceipts.js';
import { startAnnualReceipts } from '../../../models/foundation/receipts/startAnnualReceipts.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, policy } from '../../http/policy.js';
import { Answer, get, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';
import {
  AnnualReceiptRunFilters,
  AnnualReceiptRunJson,
  AnnualReceiptsPreview,
  AnnualReceiptsRequest,
} from './schema.js';

const annualReceiptPolicy = policy('annual receipt', { read: [foundationEditor], issue: [foundationAdmin] });

const reads = { ...foundation, rule: by(annualReceiptPolicy, 'read') };

const presentPreview = (tax_year: number, { lines, ...preview }: Preview) => ({
  dry_run: true as const,
  tax_year,
  ...preview,
  lines: lines.slice(0, MAX_PREVIEW_LINES),
  has_more_lines: lines.length > MAX_PREVIEW_LINES,
});

export const annualReceiptRoutes = routes('/api/foundation/annual-receipts', [
  get(
    '/',
    {
      ...reads,
      summary: 'List runs of annual receipts, the newest first',
      operationId: 'listAnnualReceiptRuns',
      query: AnnualReceiptRunFilters,
      response: pageOf(AnnualReceiptRunJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, annualReceiptPolicy, 'read');
      const { page: _, page_size: __, year, ...filters } = query;
      const where = { ...toColumns(AnnualReceiptRun, filters), tax_year: year };
      const found = await readPage(AnnualReceiptRun, {
        where,
        orderBy: 'annual_receipt_runs.id DESC',
        ...pageRequest(query),
      });
      return presentPage(found, query, request, (run) => run);
    },
  ),

  post(
    '/',
    {
      ...foundation,
      rule: by(annualReceiptPolicy, 'issue'),
      summary: 'Preview the annual receipts of a year, or issue them as previewed',
      description:
        'With `dry_run` the answer is 200 with a preview. With its `preview_hash` the answer is 202 with the run that issues and mails exactly those receipts. While that run is in progress, the same request is answered with the same run.',
      operationId: 'issueAnnualReceipts',
      body: AnnualReceiptsRequest,
      response: z.union([AnnualReceiptRunJson, AnnualReceiptsPreview]),
      status: 202,
      alsoStatus: [200],
      errors: [
        refuse.preview_stale,
        foundationErrors.foundation_not_configured,
        foundationErrors.foundation_incomplete,
        foundationErrors.no_receipts_due,
        foundationErrors.annual_receipts_in_progress,
      ],
    },
    async ({ actor, body }) => {
      authorize(actor, annualReceiptPolicy, 'issue');
      const { tax_year, dry_run, preview_hash } = body;
      if (!dry_run && preview_hash) return readRow(AnnualReceiptRun, await startAnnualReceipts(tax_year, preview_hash));
      return new Answer(presentPreview(tax_year, await previewAnnualReceipts(tax_year)), { status: 200 });
    },
  ),

  get(
    '/:id/',
    {
      ...reads,
      summary: 'Get a run of annual receipts and its progress',
      operationId: 'getAnnualReceiptRun',
      params: RowParams,
      response: AnnualReceiptRunJson,
    },
    async ({ actor, params }) => {
      authorize(actor, annualReceiptPolicy, 'read');
      return readRow(AnnualReceiptRun, params.id);
    },
  ),
]);
