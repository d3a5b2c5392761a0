import { bulkProcess, type ProcessContract, type TenantInput } from './process.js';

export interface DrawDocumentInput extends TenantInput {
  documentId: string;
}

export type DrawDocumentOutcome = 'drawn';

/** Renders a long receipt or statement while its requester waits. */
export const drawDocument = {
  ...bulkProcess,
  name: 'drawDocument',
  kind: 'document_drawing',
  // High priority, because a person waits for the document.
  priority: 1,
  workflowId: ({ documentId }) => `document-drawing/${documentId}`,
  subject: { type: 'drawn_document', id: 'documentId' },
  summary: 'Render a long receipt or statement',
  expectedMinutes: 5,
  stages: { drawing: 'The PDF is being rendered and stored.' },
  ends: { drawn: 'The document is stored for ten minutes or until it is downloaded.' },
  steps: { drawStoredDocument: 'the storage to accept the document' },
  failures: {
    StorageUnavailable: {
      code: 'storage_unavailable',
      detail: 'The storage did not accept the document. It is rendered again.',
    },
  },
  cancel: { when: 'never', says: 'The document is rendered within seconds and is deleted automatically.' },
  example: (newId) => ({ documentId: newId() }),
} as const satisfies ProcessContract<DrawDocumentInput, DrawDocumentOutcome>;
