/** Batches concurrent reads of one session into one round trip, so that the session is looked up once. */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Refusal } from '../errors.js';
import { isTransient } from './constraints.js';
import { inOneMessage, openedForReading, readInOneMessage, SHORT_READ_MS } from './oneMessage.js';
import { type Requester, takeShare } from './requests.js';
import type { Statement } from './rows.js';
import { type Opening, OPENING_TIMEOUT_MS, type Row } from './tenancy.js';

/** Maximum batch size: each read waits for those before it, so only quick ones form large batches. */
const MOST = { lookUp: 16, list: 4 };

interface Company {
  statements: Statement[];
  /** Rows of the preamble and of each statement. */
  answers: Promise<Row[][]>;
}

/** Batches not sent yet, by preamble. */
const gathering = new Map<string, Map<string, Company>>();

/**
 * Reads like `readInOneMessage`. A read that finds a free connection is sent alone; one that has to wait is joined by
 * further reads with the same preamble. A key look-up, which is quicker than its preamble, waits for others of the
 * same turn of the event loop.
 */
export async function readInCompany(
  opening: Opening,
  statement: Statement,
  requester: Requester,
  isLookUp: boolean,
): Promise<[Row, Row]> {
  const opened = openedForReading(opening, statement, requester);
  const company = companyOf(opened, requester, isLookUp);
  const place = company.statements.push(statement);
  try {
    const results = await company.answers;
    requester.begun = true;
    return [results[0]?.[0], results[place]?.[0]];
  } catch (error) {
    // One failing statement fails the batch: retry each on its own.
    const isOfOne = !(error instanceof Refusal) && !isTransient(error);
    if (company.statements.length > 1 && isOfOne) return readInOneMessage(opening, statement, requester);
    throw error;
  }
}

function companyOf(opened: Statement, requester: Requester, isLookUp: boolean): Company {
  const alike = gathering.get(opened.text) ?? new Map<string, Company>();
  gathering.set(opened.text, alike);
  const key = `${isLookUp} ${opened.values.join()}`;
  const most = isLookUp ? MOST.lookUp : MOST.list;
  const waiting = alike.get(key);
  if (waiting && waiting.statements.length < most) return waiting;
  const statements: Statement[] = [];
  const close = () => {
    if (alike.get(key)?.statements === statements) alike.delete(key);
  };
  const setOut = () => {
    close();
    return {
      statements: [opened, ...statements],
      timeoutMs: OPENING_TIMEOUT_MS + (statements.length - 1) * SHORT_READ_MS,
    };
  };
  const share = isLookUp ? endOfTurn().then(() => takeShare(null, requester)) : takeShare(null, requester);
  const answers = inOneMessage(setOut, share);
  // A batch that got no connection accepts no further reads.
  answers.catch(close);
  const company = { statements, answers };
  alike.set(key, company);
  return company;
}
