/** Reads that one person asks for at the same time: in one message, behind one look-up of who asks. */
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { Refusal } from '../errors.js';
import { isTransient } from './constraints.js';
import { inOneMessage, openedForReading, readInOneMessage, SHORT_READ_MS } from './oneMessage.js';
import { type Requester, takeShare } from './requests.js';
import type { Statement } from './rows.js';
import { type Opening, OPENING_TIMEOUT_MS, type Row } from './tenancy.js';

/** Each waits for those before it: of what takes no time there may be more. */
const MOST = { lookUp: 16, list: 4 };

interface Company {
  statements: Statement[];
  /** Of the opening, and of each statement. */
  answers: Promise<Row[][]>;
}

/** Companies that have not set out, by how they are opened. */
const gathering = new Map<string, Map<string, Company>>();

/**
 * As `readInOneMessage`. What finds a connection at once goes alone; whoever has to wait for one is joined by what is asked in
 * the same way meanwhile. A look-up by keys, which takes less time than its opening, waits for what else is asked in this turn
 * of the event loop.
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
    // One that cannot be answered takes the answers of the others along: each goes alone.
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
  // Nobody joins one that got no connection.
  answers.catch(close);
  const company = { statements, answers };
  alike.set(key, company);
  return company;
}
