import { z } from 'zod';
import type { Actor } from '../../../models/identity/Actor.js';
import { readRow, type ShownRow } from '../../../models/database/model/read.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { locateFile } from '../../../models/organizations/files/storedFiles.js';
import { cancelExport } from '../../../models/organizations/roster-exports/endExport.js';
import { requestExport } from '../../../models/organizations/roster-exports/requestExport.js';
import { RosterExport } from '../../../models/organizations/roster-exports/RosterExport.js';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { ordering } from '../../http/pagination.js';
import { OrganizationParams, RowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { resource } from '../../http/resource.js';
import { get, post, routes } from '../../http/routes.js';
import { downloadAddress } from '../files/downloadAddress.js';
import { requireStore } from '../files/storeUpload.js';

const RosterExportBody = createBody(RosterExport);

const RosterExportJson = rowJson(RosterExport);

const RosterExportWithFile = z
  .object({
    ...RosterExportJson.shape,
    download_url: z.url().nullable().meta({
      description: 'Valid for five minutes; null while there is no file. Request the export again for a new URL.',
    }),
  })
  .meta({ id: 'RosterExportWithFile' });

const rosterExportPolicy = policy('roster export', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'];
const common = { access: 'tenant', tags, response: RosterExportWithFile } as const;
const writes = { ...common, rule: by(rosterExportPolicy, 'write') } as const;
const rosterExport = resource(RosterExport, { policy: rosterExportPolicy, tags });
const { export_ended, export_in_progress, too_many_exports } = organizationsErrors;

/** Presents an export, with a download URL while its file is available. */
async function present({ organizationId }: Actor, row: ShownRow<typeof RosterExport>) {
  const isAvailable = row.available_until !== null && Date.parse(row.available_until) > Date.now();
  const file = row.file && isAvailable ? await locateFile(row.file) : null;
  return { ...row, download_url: file && (await downloadAddress(organizationId, file, file.location)) };
}

export const rosterExportRoutes = [
  ...routes('/api/organizations/:organization_id/roster-exports', [
    rosterExport.page({
      summary: 'List roster exports',
      filters: ['status'],
      ordering: ordering({ created_at: 'roster_exports.created_at' }, '-created_at'),
    }),

    post(
      '/',
      {
        ...writes,
        summary: 'Create a roster export',
        description:
          'One row per member, in the columns of an import. Only one export can run at a time. The file is available for three days.',
        params: OrganizationParams,
        body: RosterExportBody,
        status: 202,
        errors: [export_in_progress, too_many_exports, fileErrors.storage_unavailable],
      },
      async ({ actor, body }) => {
        authorize(actor, rosterExportPolicy, 'write');
        await requireStore();
        return present(actor, await requestExport(body));
      },
    ),
  ]),

  get(
    '/api/roster-exports/:id/',
    {
      ...common,
      summary: 'Get a roster export, its progress and its download URL',
      rule: by(rosterExportPolicy, 'read'),
      params: RowParams,
      errors: [fileErrors.storage_unavailable],
    },
    async ({ actor, params }) => {
      authorize(actor, rosterExportPolicy, 'read');
      return present(actor, await readRow(RosterExport, params.id));
    },
  ),

  post(
    '/api/roster-exports/:id/cancel/',
    {
      ...writes,
      summary: 'Cancel a roster export',
      operationId: 'cancelRosterExport',
      params: RowParams,
      errors: [export_ended],
    },
    async ({ actor, params }) => {
      authorize(actor, rosterExportPolicy, 'write');
      await cancelExport(params.id);
      return present(actor, await readRow(RosterExport, params.id));
    },
  ),
];
