import { z } from 'zod';
import { readPage, readRow, type ShownRow } from '../../../models/database/model/read.js';
import { found, refuse } from '../../../models/errors.js';
import { officersSeeAmounts } from '../../../models/finances/dues-settings/officersSeeAmounts.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { InvoiceExport } from '../../../models/finances/invoice-exports/InvoiceExport.js';
import { cancelExport, requestExport, retryExport } from '../../../models/finances/invoice-exports/requestExport.js';
import { fileOfExport } from '../../../models/finances/invoice-exports/writeExport.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams, RowParams } from '../../http/params.js';
import { authorize, by, may } from '../../http/policy.js';
import { get, post, type Route } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { leadTo } from '../../organizations/files/downloadAddress.js';
import { requireStore } from '../../organizations/files/takeFile.js';
import { finances } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { downloadUrl, requireAddress } from './download.js';
import { invoiceExportPolicy } from './policy.js';
import { DownloadQuery, InvoiceExportBody, InvoiceExportJob } from './schema.js';

const { export_limit, export_over, export_under_way } = financesErrors;

/** Exports of the organization, or of one chapter: the same work at two addresses. */
interface Scope<List extends z.ZodType, Row extends z.ZodType> {
  path: string;
  row: string;
  /** For ids of operations, and in words. */
  name: 'Organization' | 'Chapter';
  list: List;
  one: Row;
  chapterOf: (params: z.output<List>) => string | null;
  exportOf: (params: z.output<Row>) => string;
}

const filters = z.object({
  ...pageQuery,
  ordering: ordering({ created_at: 'invoice_exports.created_at' }, '-created_at'),
});

async function admit(actor: Actor, chapter: string | null, action: 'read' | 'write'): Promise<void> {
  if (chapter === null) authorize(actor, invoiceExportPolicy, action);
  else {
    await authorizeInChapter(actor, invoiceExportPolicy, action, chapter);
    if (!(await chapterExists(chapter))) throw refuse.not_found();
  }
}

/** @throws Refusal not_found for one that is not of this chapter, or of the organization */
async function within(id: string, chapter: string | null): Promise<ShownRow<typeof InvoiceExport>> {
  const row = await readRow(InvoiceExport, id);
  if (row.chapter !== chapter) throw refuse.not_found();
  return row;
}

/** Whether this actor may have files of this scope that tell amounts. */
const seesAmounts = async (actor: Actor, chapter: string | null): Promise<boolean> =>
  may(actor, invoicePolicy, 'always_see_amounts', { chapter_id: chapter }) || officersSeeAmounts();

const routesOf = <List extends z.ZodType, Row extends z.ZodType>(scope: Scope<List, Row>): Route[] => {
  const at = (chapter: string | null, actor: Actor, id: string): string =>
    chapter === null
      ? `/api/organizations/${actor.organizationId}/invoice-exports/${id}/`
      : `/api/chapters/${chapter}/invoice-exports/${id}/`;
  const shown = (actor: Actor, row: ShownRow<typeof InvoiceExport>, sees: boolean) => {
    const isThere = row.status === 'ready' && (sees || !row.has_amounts);
    const file = `${at(row.chapter, actor, row.id)}file/`;
    return { ...row, download_url: isThere ? downloadUrl(file, actor.organizationId, row.id) : null };
  };
  const present = async (actor: Actor, row: ShownRow<typeof InvoiceExport>) =>
    shown(actor, row, await seesAmounts(actor, row.chapter));
  const whose = scope.name === 'Chapter' ? 'of a chapter and its members' : 'of the organization';
  const reads = { ...finances, rule: by(invoiceExportPolicy, 'read') } as const;
  const changes = {
    ...finances,
    rule: by(invoiceExportPolicy, 'write'),
    params: scope.one,
    response: InvoiceExportJob,
  } as const;
  return [
    get(
      scope.path,
      {
        ...reads,
        summary: `List exports of invoices ${whose}`,
        operationId: `list${scope.name}InvoiceExports`,
        params: scope.list,
        query: filters,
        response: pageOf(InvoiceExportJob),
      },
      async ({ actor, params, query, request }) => {
        const chapter = scope.chapterOf(params as z.output<List>);
        await admit(actor, chapter, 'read');
        const page = await readPage(InvoiceExport, {
          where: { chapter_id: chapter },
          orderBy: query.ordering,
          ...pageRequest(query),
        });
        const sees = await seesAmounts(actor, chapter);
        return presentPage(page, query, request, (row) => shown(actor, row, sees));
      },
    ),
    post(
      scope.path,
      {
        ...finances,
        rule: by(invoiceExportPolicy, 'write'),
        summary: `Write invoices ${whose} as a workbook`,
        description:
          'One sheet with the invoices of one moment and their totals, and one that says which they are. Three at a time in an organization; the file is there for seven days.',
        operationId: `create${scope.name}InvoiceExport`,
        params: scope.list,
        body: InvoiceExportBody,
        response: InvoiceExportJob,
        status: 202,
        errors: [export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params, body }) => {
        const chapter = scope.chapterOf(params as z.output<List>);
        await admit(actor, chapter, 'write');
        await requireStore();
        return present(actor, await requestExport(chapter, body));
      },
    ),
    get(
      scope.row,
      {
        ...reads,
        summary: `An export of invoices ${whose}, how far it has come, and where its file is`,
        operationId: `read${scope.name}InvoiceExport`,
        params: scope.one,
        response: InvoiceExportJob,
      },
      async ({ actor, params }) => {
        const chapter = scope.chapterOf(params as never);
        await admit(actor, chapter, 'read');
        return present(actor, await within(scope.exportOf(params as z.output<Row>), chapter));
      },
    ),
    get(
      `${scope.row}file/`,
      {
        ...reads,
        summary: 'Leads to the file of an export, by the address that its job told within the last ten minutes',
        operationId: `get${scope.name}InvoiceExportFile`,
        params: scope.one,
        query: DownloadQuery,
        status: 302,
        errors: [fileErrors.storage_unavailable],
      },
      async ({ actor, params, query }) => {
        const chapter = scope.chapterOf(params as never);
        await admit(actor, chapter, 'read');
        const row = await within(scope.exportOf(params as z.output<Row>), chapter);
        requireAddress(actor.organizationId, row.id, query);
        if (row.status !== 'ready' || (row.has_amounts && !(await seesAmounts(actor, chapter))))
          throw refuse.not_found();
        return leadTo(actor.organizationId, await locateFile(found(await fileOfExport(row.id))));
      },
    ),
    post(
      `${scope.row}cancel/`,
      {
        ...changes,
        summary: `Cancel an export of invoices ${whose}`,
        operationId: `cancel${scope.name}InvoiceExport`,
        errors: [export_over],
      },
      async ({ actor, params }) => {
        const chapter = scope.chapterOf(params as never);
        await admit(actor, chapter, 'write');
        const { id } = await within(scope.exportOf(params as z.output<Row>), chapter);
        await cancelExport(id);
        return present(actor, await readRow(InvoiceExport, id));
      },
    ),
    post(
      `${scope.row}retry/`,
      {
        ...changes,
        summary: `Write an export of invoices ${whose} anew, as another file`,
        operationId: `retry${scope.name}InvoiceExport`,
        status: 202,
        errors: [export_under_way, export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params }) => {
        const chapter = scope.chapterOf(params as never);
        await admit(actor, chapter, 'write');
        const { id } = await within(scope.exportOf(params as z.output<Row>), chapter);
        await requireStore();
        await retryExport(id);
        return present(actor, await readRow(InvoiceExport, id));
      },
    ),
  ];
};

const ChapterRowParams = z.object({ ...RowParams.shape, export_id: RowParams.shape.id });

export const invoiceExportRoutes: Route[] = [
  ...routesOf({
    path: '/api/organizations/:organization_id/invoice-exports/',
    row: '/api/organizations/:organization_id/invoice-exports/:id/',
    name: 'Organization',
    list: OrganizationParams,
    one: OrganizationRowParams,
    chapterOf: () => null,
    exportOf: ({ id }) => id,
  }),
  ...routesOf({
    path: '/api/chapters/:id/invoice-exports/',
    row: '/api/chapters/:id/invoice-exports/:export_id/',
    name: 'Chapter',
    list: RowParams,
    one: ChapterRowParams,
    chapterOf: ({ id }) => id,
    exportOf: ({ export_id }) => export_id,
  }),
];
