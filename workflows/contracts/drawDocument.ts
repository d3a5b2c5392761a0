import type { ProcessContract, TenantInput } from './process.js';

export interface DrawDocumentInput extends TenantInput {
  documentId: string;
}

export type DrawDocumentOutcome = 'drawn';

/** Renders a long receipt or statement while its requester waits. */
export const drawDocument = {
  name: 'drawDocument',
  kind: 'document_drawing',
  taskQueue: 'bulk',
  // A person waits for it.
  priority: 1,
  workflowId: ({ documentId }) => `document-drawing/${documentId}`,
  livesAgain: false,
  recoveredBy: 'rows',
  waitingRows: 'few',
  seenBy: 'organization',
  subject: { type: 'drawn_document', id: 'documentId' },
  chapterId: () => null,
  summary: 'Draw a long receipt or statement',
  expectedMinutes: 5,
  money: 'never',
  stages: { drawing: 'The account is read, drawn as a PDF, and put into the store.' },
  ends: { drawn: 'The document is in the store, for ten minutes, or until it is handed out.' },
  steps: { drawStoredDocument: 'the store to take the document' },
  sleepsUntil: null,
  failures: {
    StorageUnavailable: {
      code: 'storage_unavailable',
      detail: 'The store does not take the document. It is drawn again.',
    },
  },
  cancel: { when: 'never', says: 'It is drawn within seconds, and goes by itself.' },
  example: (newId) => ({ documentId: newId() }),
} as const satisfies ProcessContract<DrawDocumentInput, DrawDocumentOutcome>;
