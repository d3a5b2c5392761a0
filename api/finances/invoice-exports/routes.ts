import { z } from 'zod';
import { readPage, readRow, type ShownRow } from '../../../models/database/model/read.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { readsAmounts } from '../amounts.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { InvoiceExport } from '../../../models/finances/invoice-exports/InvoiceExport.js';
import { cancelExport, requestExport, retryExport } from '../../../models/finances/invoice-exports/requestExport.js';
import { findExportFile } from '../../../models/finances/invoice-exports/writeExport.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { chapterExists } from '../../../models/organizations/chapters.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, chapterManagers, policy } from '../../http/policy.js';
import { get, post, type Route } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { redirectToDownload } from '../../organizations/files/downloadAddress.js';
import { requireStore } from '../../organizations/files/storeUpload.js';
import { finances } from '../fields.js';
import { downloadUrl, requireAddress } from './download.js';
import { DownloadQuery, InvoiceExportBody, InvoiceExportJob } from './schema.js';

/** Exports of a chapter are for people who read its invoices; exports of the organization are for its admins. */
const invoiceExportPolicy = policy('invoice export', {
  read: chapterManagers,
  write: chapterManagers,
});

const { export_limit, export_over, export_under_way } = financesErrors;

/** Ids in the path of a list: the id of the organization, or the id of the chapter (`id`). */
interface ListIds {
  organization_id?: string | undefined;
  id?: string | undefined;
}
type RowIds = ListIds & { export_id: string };

/** Exports of the organization or of one chapter: the same operations at two addresses. */
interface Scope {
  path: string;
  /** Part of the operation ids. */
  name: 'Organization' | 'Chapter';
  scopeText: string;
  list: z.ZodType<ListIds>;
  one: z.ZodType<RowIds>;
}

const filters = z.object({
  ...pageQuery,
  ordering: ordering({ created_at: 'invoice_exports.created_at' }, '-created_at'),
});

/**
 * Authorizes the actor for the exports of one chapter, or of the whole organization.
 * @returns the chapter; null for the organization
 * @throws Refusal forbidden, not_found
 */
async function authorizeScope(actor: Actor, { id }: ListIds, action: 'read' | 'write'): Promise<string | null> {
  const chapter = id ?? null;
  if (chapter === null) authorize(actor, invoiceExportPolicy, action);
  else {
    await authorizeInChapter(actor, invoiceExportPolicy, action, chapter);
    if (!(await chapterExists(chapter))) throw refuse.not_found();
  }
  return chapter;
}

/**
 * Reads an export at the address of its scope (the organization or one chapter).
 * @throws Refusal forbidden; not_found, also for an export that belongs to another scope
 */
async function readExport(
  actor: Actor,
  ids: RowIds,
  action: 'read' | 'write',
): Promise<ShownRow<typeof InvoiceExport>> {
  const chapter = await authorizeScope(actor, ids, action);
  const row = await readRow(InvoiceExport, ids.export_id);
  if (row.chapter !== chapter) throw refuse.not_found();
  return row;
}

function withDownloadUrl(actor: Actor, row: ShownRow<typeof InvoiceExport>, seesAmounts: boolean) {
  const isAvailable = row.status === 'ready' && (seesAmounts || !row.has_amounts);
  const scopePath =
    row.chapter === null ? `/api/organizations/${actor.organizationId}` : `/api/chapters/${row.chapter}`;
  const file = `${scopePath}/invoice-exports/${row.id}/file/`;
  return { ...row, download_url: isAvailable ? downloadUrl(file, actor.organizationId, row.id) : null };
}

const present = async (actor: Actor, row: ShownRow<typeof InvoiceExport>) =>
  withDownloadUrl(actor, row, await readsAmounts(actor, { chapter_id: row.chapter }));

const routesOf = ({ path, name, scopeText, list, one }: Scope): Route[] => {
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
        summary: `List exports of invoices ${scopeText}`,
        operationId: `list${name}InvoiceExports`,
        params: list,
        query: filters,
        response: pageOf(InvoiceExportJob),
      },
      async ({ actor, params, query, request }) => {
        const chapter = await authorizeScope(actor, params, 'read');
        const page = await readPage(InvoiceExport, {
          where: { chapter_id: chapter },
          orderBy: query.ordering,
          ...pageRequest(query),
        });
        const showsAmounts = await readsAmounts(actor, { chapter_id: chapter });
        return presentPage(page, query, request, (row) => withDownloadUrl(actor, row, showsAmounts));
      },
    ),
    post(
      path,
      {
        ...finances,
        rule: by(invoiceExportPolicy, 'write'),
        summary: `Export invoices ${scopeText} as a workbook`,
        description:
          'One sheet with the invoices at one moment and their totals, and one that describes the selection. At most three exports at a time in an organization; the file is available for seven days.',
        operationId: `create${name}InvoiceExport`,
        params: list,
        body: InvoiceExportBody,
        response: InvoiceExportJob,
        status: 202,
        errors: [export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params, body }) => {
        const chapter = await authorizeScope(actor, params, 'write');
        await requireStore();
        return present(actor, await requestExport(chapter, body));
      },
    ),
    get(
      row,
      {
        ...reads,
        summary: `An export of invoices ${scopeText}, with its progress and the address of its file`,
        operationId: `read${name}InvoiceExport`,
        params: one,
        response: InvoiceExportJob,
      },
      async ({ actor, params }) => present(actor, await readExport(actor, params, 'read')),
    ),
    get(
      `${row}file/`,
      {
        ...reads,
        summary:
          'Redirect to the file of an export, with the address that its job returned within the last ten minutes',
        operationId: `get${name}InvoiceExportFile`,
        params: one,
        query: DownloadQuery,
        status: 302,
        errors: [fileErrors.storage_unavailable],
      },
      async ({ actor, params, query }) => {
        const { id, chapter, status, has_amounts } = await readExport(actor, params, 'read');
        requireAddress(actor.organizationId, id, query);
        if (status !== 'ready' || (has_amounts && !(await readsAmounts(actor, { chapter_id: chapter }))))
          throw refuse.not_found();
        return redirectToDownload(actor.organizationId, await locateFile(requireFound(await findExportFile(id))));
      },
    ),
    post(
      `${row}cancel/`,
      {
        ...changes,
        summary: `Cancel an export of invoices ${scopeText}`,
        operationId: `cancel${name}InvoiceExport`,
        errors: [export_over],
      },
      async ({ actor, params }) => {
        const { id } = await readExport(actor, params, 'write');
        await cancelExport(id);
        return present(actor, await readRow(InvoiceExport, id));
      },
    ),
    post(
      `${row}retry/`,
      {
        ...changes,
        summary: `Repeat an export of invoices ${scopeText}, as another file`,
        operationId: `retry${name}InvoiceExport`,
        status: 202,
        errors: [export_under_way, export_limit, fileErrors.storage_unavailable],
      },
      async ({ actor, params }) => {
        const { id } = await readExport(actor, params, 'write');
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
    scopeText: 'of the organization',
    list: OrganizationParams,
    one: OrganizationParams.extend(ExportId.shape),
  }),
  ...routesOf({
    path: '/api/chapters/:id/invoice-exports/',
    name: 'Chapter',
    scopeText: 'of a chapter and its members',
    list: RowParams,
    one: RowParams.extend(ExportId.shape),
  }),
];
