import { findRow, loadRow, readRow } from '../../../models/database/model/read.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { beginUpload } from '../../../models/organizations/files/storedFiles.js';
import { BulkImport } from '../../../models/organizations/imports/BulkImport.js';
import { importErrors } from '../../../models/organizations/imports/errors.js';
import { listLines } from '../../../models/organizations/imports/listLines.js';
import { mapImport, correctLine } from '../../../models/organizations/imports/correctLine.js';
import { startImport } from '../../../models/organizations/imports/readImport.js';
import * as steps from '../../../models/organizations/imports/steps.js';
import { originOf } from '../../http/origin.js';
import { ordering, pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { AfterCommit, Answer, get, patch, post, put, routes } from '../../http/routes.js';
import { UploadForm } from '../files/schema.js';
import { requireStore, storeUploadAnd } from '../files/storeUpload.js';
import { errorsTable } from './errorsTable.js';
import { ImportJson, ImportLineJson, LineFilters, LineParams, MappingBody, MendBody, ProcessBody } from './schema.js';

const importPolicy = policy('import', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'];
const tenant = { access: 'tenant', tags } as const;
const reads = { ...tenant, rule: by(importPolicy, 'read'), params: RowParams } as const;
const writes = { ...tenant, rule: by(importPolicy, 'write') } as const;
const imports = resource(BulkImport, { policy: importPolicy, tags });
const { import_busy, import_ended, import_not_ready, import_not_undoable } = importErrors;

/** Routes that start a process for an import. */
const starts = { ...writes, params: RowParams, response: ImportJson, status: 202 } as const;

export const importRoutes = [
  ...routes('/api/organizations/:organization_id/imports', [
    imports.page({
      summary: 'List imports',
      filters: ['stage', 'outcome'],
      ordering: ordering({ created_at: 'bulk_imports.created_at' }, '-created_at'),
    }),

    post(
      '/',
      {
        ...writes,
        summary: 'Upload a roster to import',
        description: 'No members change until a preview is confirmed.',
        operationId: 'uploadImport',
        params: OrganizationParams,
        upload: UploadForm,
        response: ImportJson,
        status: 201,
        errors: [fileErrors.storage_unavailable, fileErrors.too_many_files, refuse.body_too_large],
      },
      async ({ actor, request }) => {
        authorize(actor, importPolicy, 'write');
        await requireStore();
        const upload = { ...(await beginUpload('import', actor.userId)), purpose: 'import' } as const;
        const origin = originOf(request, actor);
        return new AfterCommit(() => storeUploadAnd(request, actor.organizationId, upload, origin, startImport));
      },
    ),
  ]),

  ...routes('/api/imports/:id', [
    get(
      '/',
      { ...reads, summary: 'Get an import and its progress', response: ImportJson },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'read');
        return readRow(BulkImport, params.id);
      },
    ),

    put(
      '/mapping/',
      {
        ...writes,
        summary: 'Set the column mapping',
        description:
          'The mapping is guessed from the column titles and from earlier imports of this organization. A mapping that you set is remembered.',
        operationId: 'setImportMapping',
        params: RowParams,
        body: MappingBody,
        response: ImportJson,
        errors: [import_busy, import_ended, import_not_ready],
      },
      async ({ actor, params, body: { mapping, ...more } }) => {
        authorize(actor, importPolicy, 'write');
        return mapImport(params.id, mapping, more);
      },
    ),

    post(
      '/preview/',
      {
        ...starts,
        summary: 'Preview what an import would do, line by line',
        operationId: 'startImportPreview',
        errors: [import_busy, import_ended, import_not_ready],
      },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'write');
        return steps.previewImport(params.id);
      },
    ),

    get(
      '/rows/',
      {
        ...reads,
        summary: 'List the lines of an import with their results',
        query: LineFilters,
        response: pageOf(ImportLineJson),
      },
      async ({ actor, params, query, request }) => {
        authorize(actor, importPolicy, 'read');
        const { outcome, result } = query;
        const page = await listLines({ importId: params.id, outcome, result, ...pageRequest(query) });
        if (page.count === 0) requireFound(await findRow(BulkImport, params.id));
        return presentPage(page, query, request, (line) => line);
      },
    ),

    patch(
      '/rows/:row_id/',
      {
        ...writes,
        summary: 'Correct a line',
        description:
          'Returns the line with its new preview. All lines are previewed again before the import is confirmed.',
        operationId: 'updateImportLine',
        params: LineParams,
        body: MendBody,
        response: ImportLineJson,
        errors: [import_busy, import_ended, import_not_ready],
      },
      async ({ actor, params, body }) => {
        authorize(actor, importPolicy, 'write');
        return correctLine(params.id, params.row_id, body.values);
      },
    ),

    get(
      '/errors.csv/',
      {
        ...reads,
        summary: 'Download invalid and failed lines with their errors',
        description: 'After correction in a spreadsheet, the table can be uploaded as the next import.',
        operationId: 'exportImportErrors',
        textResponse: 'text/csv',
        status: 200,
      },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'read');
        const bulkImport = await loadRow(BulkImport, params.id);
        const headers = {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="errors.csv"',
        };
        return new AfterCommit(async () => new Answer(undefined, { stream: errorsTable(bulkImport), headers }));
      },
    ),

    post(
      '/process/',
      {
        ...starts,
        summary: 'Confirm the preview and import',
        operationId: 'startImport',
        body: ProcessBody,
        errors: [refuse.preview_stale, import_busy, import_ended],
      },
      async ({ actor, params, body }) => {
        authorize(actor, importPolicy, 'write');
        return steps.processImport(params.id, body.preview_hash, body.on_existing);
      },
    ),

    post(
      '/send-invitations/',
      {
        ...starts,
        summary: 'Mail invitations to imported members',
        description:
          'No mail is sent before this request. People with an account are notified; others get an invitation. Each person is mailed once.',
        operationId: 'mailImportedMembers',
        errors: [import_busy, import_not_ready],
      },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'write');
        return steps.sendInvitations(params.id);
      },
    ),

    post(
      '/cancel/',
      {
        ...writes,
        summary: 'Cancel an import',
        description: 'Stops after the current batch of 500 lines. Imported lines stay and can be undone.',
        operationId: 'cancelImport',
        params: RowParams,
        response: ImportJson,
        errors: [import_ended],
      },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'write');
        return steps.cancelImport(params.id);
      },
    ),

    post(
      '/undo/',
      {
        ...starts,
        summary: 'Undo an import',
        description:
          'Possible within 24 hours of its end. Members who have since signed in, been invoiced or been edited are kept; the lines show the reason.',
        operationId: 'revertImport',
        errors: [import_busy, import_not_ready, import_not_undoable],
      },
      async ({ actor, params }) => {
        authorize(actor, importPolicy, 'write');
        return steps.undoImport(params.id);
      },
    ),
  ]),
];
