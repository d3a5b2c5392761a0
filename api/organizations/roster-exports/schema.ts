import { z } from 'zod';
import { createBody, rowJson } from '../../../models/database/model/schemas.js';
import { RosterExport } from '../../../models/organizations/roster-exports/RosterExport.js';

export const RosterExportBody = createBody(RosterExport);

const RosterExportJson = rowJson(RosterExport);

export const RosterExportWithFile = z
  .object({
    ...RosterExportJson.shape,
    download_url: z.url().nullable().meta({
      description: 'Valid for five minutes; null while there is no file. Request the export again for a new URL.',
    }),
  })
  .meta({ id: 'RosterExportWithFile' });
