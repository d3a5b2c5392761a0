import { z } from 'zod';
import { readPage, readRow, type ShownRow } from '../../../models/database/model/read.js';
import { found, refuse } from '../../../models/errors.js';
import { readsAmounts } from '../amounts.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { InvoiceExport } from '../../../models/finances/invoice-exports/InvoiceExport.js';
import { cancelExport, requestExport, retryExport } from '../../../models/finances/invoice-exports/requestExport.js';
import { fileOfExport } from '../../../models/finances/invoice-exports/writeExport.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, type Route } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { leadTo } from '../../organizations/files/downloadAddress.js';
import { requireStore } from '../../organizations/files/takeFile.js';
import { finances } from '../fields.js';
import { downloadUrl, requireAddress } from './download.js';
import { invoiceExportPolicy } from './policy.js';
import { DownloadQuery, InvoiceExportBody, InvoiceExportJob } from './schema.js';

const { export_limit, export_over, export_under_way } = financesErrors;

/** Of a chapter; left out: the organization. */
interface ListIds {
  organization_id?: string | undefined;
  id?: string | undefined;
}
type RowIds = ListIds & { export_id: string };

/** Exports of the organization, or of one chapter: the same work at two addresses. */
interface Scope {
  path: string;
  /** For ids of operations. */
  name: 'Organization' | 'Chapter';
  whose: string;
  list: z.ZodType<ListIds>;
  one: z.ZodType<RowIds>;
}

const filters = z.object({
  ...pageQuery,
  ordering: ordering({ created_at: 'invoice_exports.created_at' }, '-created_at'),
});

/** @returns the chapter whose exports are meant; null: those of the organization @throws Refusal forbidden, not_found */
async function admit(actor: Actor, { id }: ListIds, action: 'read' | 'write'): Promise<string | null> {
  const chapter = id ?? null;
  if (chapter === null) authorize(actor, invoiceExportPolicy, action);
  else {
    await authorizeInChapter(actor, invoiceExportPolicy, action, chapter);
    if (!(await chapterExists(chapter))) throw refuse.not_found();
  }
  return chapter;
}

/** The same for one of them. @throws Refusal not_found for one of another scope, too */
async function reach(actor: Actor, ids: RowIds, action: 'read' | 'write'): Promise<ShownRow<typeof InvoiceExport>> {
  const chapter = await admit(actor, ids, action);
  const row = await readRow(InvoiceExport, ids.export_id);
  if (row.chapter !== chapter) throw refuse.not_found();
  return row;
}

function shown(actor: Actor, row: ShownRow<typeof InvoiceExport>, sees: boolean) {
  const isThere = row.status === 'ready' && (sees || !row.has_amounts);
  const whose = row.chapter === null ? `/api/organizations/${actor.organizationId}` : `/api/chapters/${row.chapter}`;
  const file = `${whose}/invoice-exports/${row.id}/file/`;
  return { ...row, download_url: isThere ? downloadUrl(file, actor.organizationId, row.id) : null };
}

const present = async (actor: Actor, row: ShownRow<typeof InvoiceExport>) =>
  shown(actor, row, await readsAmounts(actor, { chapter_id: row.chapter }));

const routesOf = ({ path, name, whose, list, one }: Scope): Route[] => {
  const row = `${path}:export_id/`;
  const reads = { ...finances, rule: by(invoiceExportPolicy, 'read') } as const;
  const changes = {
    ...finances,
    rule: by(invoiceExportPolicy, 'write'),
    params: one,
    response: InvoiceExportJob,
  } as const;
  return [
    get(
      path,
      {
        ...reads,
        summary: `List exports of invoices ${whose}`,
        operationId: `list${name}InvoiceExports`,
        params: list,
        query: filters,
        response: pageOf(InvoiceExportJob),
      },
      async ({ actor, params, query, request }) => {
        const chapter = await admit(actor, params, 'read');
        const page = await readPage(InvoiceExport, {
          where: { chapter_id: chapter },
          orderBy: query.ordering,
          ...pageRequest(query),
        });
        const sees = await readsAmounts(actor, { chapter_id: chapter });
        return presentPage(page, query, request, (row) => shown(actor, row, sees));
      },
    ),
    post(
      path,
      {
        ...finances,
        rule: by(invoiceExportPolicy, 'write'),
        summary: `Write invoices ${whose} as a workbook`,
        description:
          'One sheet with the invoices of one moment and their totals, and one that says which they are. Three at a time in an organization; the file is there for seven days.',
        operationId: `create${name}InvoiceExport`,
        params: list,
        body: InvoiceExportBody,
        response: InvoiceExportJob,
        status: 202,
        errors: [export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params, body }) => {
        const chapter = await admit(actor, params, 'write');
        await requireStore();
        return present(actor, await requestExport(chapter, body));
      },
    ),
    get(
      row,
      {
        ...reads,
        summary: `An export of invoices ${whose}, how far it has come, and where its file is`,
        operationId: `read${name}InvoiceExport`,
        params: one,
        response: InvoiceExportJob,
      },
      async ({ actor, params }) => present(actor, await reach(actor, params, 'read')),
    ),
    get(
      `${row}file/`,
      {
        ...reads,
        summary: 'Leads to the file of an export, by the address that its job told within the last ten minutes',
        operationId: `get${name}InvoiceExportFile`,
        params: one,
        query: DownloadQuery,
        status: 302,
        errors: [fileErrors.storage_unavailable],
      },
      async ({ actor, params, query }) => {
        const { id, chapter, status, has_amounts } = await reach(actor, params, 'read');
        requireAddress(actor.organizationId, id, query);
        if (status !== 'ready' || (has_amounts && !(await readsAmounts(actor, { chapter_id: chapter }))))
          throw refuse.not_found();
        return leadTo(actor.organizationId, await locateFile(found(await fileOfExport(id))));
      },
    ),
    post(
      `${row}cancel/`,
      {
        ...changes,
        summary: `Cancel an export of invoices ${whose}`,
        operationId: `cancel${name}InvoiceExport`,
        errors: [export_over],
      },
      async ({ actor, params }) => {
        const { id } = await reach(actor, params, 'write');
        await cancelExport(id);
        return present(actor, await readRow(InvoiceExport, id));
      },
    ),
    post(
      `${row}retry/`,
      {
        ...changes,
        summary: `Write an export of invoices ${whose} anew, as another file`,
        operationId: `retry${name}InvoiceExport`,
        status: 202,
        errors: [export_under_way, export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params }) => {
        const { id } = await reach(actor, params, 'write');
        await requireStore();
        await retryExport(id);
        return present(actor, await readRow(InvoiceExport, id));
      },
    ),
  ];
};

const ExportId = z.object({ export_id: RowParams.shape.id });

export const invoiceExportRoutes: Route[] = [
  ...routesOf({
    path: '/api/organizations/:organization_id/invoice-exports/',
    name: 'Organization',
    whose: 'of the organization',
    list: OrganizationParams,
    one: OrganizationParams.extend(ExportId.shape),
  }),
  ...routesOf({
    path: '/api/chapters/:id/invoice-exports/',
    name: 'Chapter',
    whose: 'of a chapter and its members',
    list: RowParams,
    one: RowParams.extend(ExportId.shape),
  }),
];
