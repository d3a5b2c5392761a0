/** Batches concurrent reads of one session into one round trip, so that the session is looked up once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Refusal } from '../errors.js';
import { isTransient } from './constraints.js';
import { runPipelined, readOnlyPreamble, readPipelined, SHORT_READ_MS } from './pipelinedTransaction.js';
import { type Requester, acquireConnectionSlot } from './connectionQuota.js';
import type { Statement } from './rows.js';
import { type TransactionPreamble, PREAMBLE_TIMEOUT_MS, type Row } from './tenancy.js';

/** A read in a batch waits for those before it, so only quick reads form large batches. */
const MAX_BATCH_SIZE = { lookUp: 16, list: 4 };

interface ReadBatch {
  statements: Statement[];
  /** Rows of the preamble and of each statement. */
  answers: Promise<Row[][]>;
}

/** Batches not sent yet, by preamble. */
const pendingBatches = new Map<string, Map<string, ReadBatch>>();

/**
 * Reads like `readPipelined`. A read that finds a free connection is sent alone. A read that has to wait for a
 * connection is joined by further reads with the same preamble. A look-up by key, which is quicker than its preamble,
 * waits for other look-ups of the same turn of the event loop.
 */
export async function readInBatch(
  preamble: TransactionPreamble,
  statement: Statement,
  requester: Requester,
  isLookUp: boolean,
): Promise<[Row, Row]> {
  const preambleStatement = readOnlyPreamble(preamble, statement, requester);
  const batch = joinBatch(preambleStatement, requester, isLookUp);
  const position = batch.statements.push(statement);
  try {
    const results = await batch.answers;
    requester.hasHadConnection = true;
    return [results[0]?.[0], results[position]?.[0]];
  } catch (error) {
    // One failing statement fails the batch: retry each on its own.
    const isOfOneStatement = !(error instanceof Refusal) && !isTransient(error);
    if (batch.statements.length > 1 && isOfOneStatement) return readPipelined(preamble, statement, requester);
    throw error;
  }
}

function joinBatch(preambleStatement: Statement, requester: Requester, isLookUp: boolean): ReadBatch {
  const batches = pendingBatches.get(preambleStatement.text) ?? new Map<string, ReadBatch>();
  pendingBatches.set(preambleStatement.text, batches);
  const key = `${isLookUp} ${preambleStatement.values.join()}`;
  const maxSize = isLookUp ? MAX_BATCH_SIZE.lookUp : MAX_BATCH_SIZE.list;
  const pending = batches.get(key);
  if (pending && pending.statements.length < maxSize) return pending;
  const statements: Statement[] = [];
  const close = () => {
    if (batches.get(key)?.statements === statements) batches.delete(key);
  };
  const flush = () => {
    close();
    return {
      statements: [preambleStatement, ...statements],
      timeoutMs: PREAMBLE_TIMEOUT_MS + (statements.length - 1) * SHORT_READ_MS,
    };
  };
  const slot = isLookUp
    ? nextTurn().then(() => acquireConnectionSlot(null, requester))
    : acquireConnectionSlot(null, requester);
  const answers = runPipelined(flush, slot);
  // A batch that got no connection accepts no further reads.
  answers.catch(close);
  const batch = { statements, answers };
  batches.set(key, batch);
  return batch;
}
