import { z } from 'zod';
import { json, link, moment, stamps, tenantKeys } from '../../database/model/columns.js';
import { defineModel } from '../../database/model/defineModel.js';
import { day, recordId } from '../../fields.js';

const span = { from: day.nullable(), to: day, amounts: z.boolean() };

/** Identifies a document and what its reader may see. Equal requests produce the same document. */
export const DocumentRequest = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('member'), id: recordId, ...span }),
  z.strictObject({ of: z.literal('chapter'), id: recordId, ...span }),
  z.strictObject({ of: z.literal('invoice'), id: recordId, amounts: z.boolean(), notes: z.boolean() }),
]);
export type DocumentRequest = z.output<typeof DocumentRequest>;

/**
 * A document that is too long to be created while its requester waits for the response. A workflow creates it in the
 * background.
 */
export class DrawnDocument extends defineModel({
  table: 'drawn_documents',
  columns: {
    ...tenantKeys,
    request: json(DocumentRequest).fixed(),
    requested_by: link().fixed(),
    file_id: link().nullable(),
    drawn_at: moment().nullable(),
    created_at: stamps.created_at,
  },
}) {}
