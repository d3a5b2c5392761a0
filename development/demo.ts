/**
 * demo: plays the main story over HTTP against a running `npm start`, then prints the verdict of the ledger check.
 * Other stories: `notifications` (what members receive), `roster` (changes of a membership), `intake` (how a person
 * becomes a member), `refunds`, `plans` (payment in installments), `giving` (gifts, their receipts, a pledge, a
 * bulletin), `forums` (a thread, and an appeal), and `console` (work that waits in the console). `variables` prints shell variables for the examples of docs/api.
 */
import { config } from '../config.js';
import { checkLedger } from '../models/finances/checkLedger.js';
import { DemoFailed } from './demo/client.js';
import { type DemoFacts, readDemoFacts } from './demo/facts.js';
import { ledgerOf } from './ledger/ledgerOf.js';
import { useGateways } from './ledger/useGateways.js';
import { showConsole } from './demo/console.js';
import { showForums } from './demo/forums.js';
import { showGiving } from './demo/giving.js';
import { takeIn } from './demo/intake.js';
import { showNotifications } from './demo/notifications.js';
import { changeRoster } from './demo/roster.js';
import { payInParts } from './demo/plans.js';
import { showRefunds } from './demo/refunds.js';
import { printVariables } from './demo/variables.js';
import { screen } from './demo/screen.js';
import { Stage } from './demo/stage.js';
import { declinedCard, lostAnswer, payTheDues, staleAllocation } from './demo/stories.js';
import { compareWithGateways } from '../bin/ledger/compare.js';
import { verdict } from '../bin/ledger/report.js';

const DAY_MS = 86_400_000;

async function main(): Promise<boolean> {
  const facts = readDemoFacts();
  if (!facts)
    throw new DemoFailed(`There is no demo.json in ${config.dataDir}. Run npm start in another terminal first.`);
  if (process.argv[2] === 'variables') return printVariables(facts);
  if (process.argv[2] === 'notifications') return showNotifications(facts);
  if (process.argv[2] === 'roster') return changeRoster(facts);
  if (process.argv[2] === 'intake') return takeIn(facts);
  if (process.argv[2] === 'forums') return showForums(facts);
  if (process.argv[2] === 'console') return showConsole(facts);
  if (process.argv[2] === 'refunds') {
    screen.chapter('Refunds');
    await showRefunds(await Stage.open(facts));
    return ledgerIsRight(facts);
  }
  if (process.argv[2] === 'giving') {
    await showGiving(facts);
    return ledgerIsRight(facts);
  }
  if (process.argv[2] === 'plans') {
    await payInParts(facts);
    return ledgerIsRight(facts);
  }
  screen.chapter('Dues of a chapter, paid by its treasurer');
  const stage = await Stage.open(facts);
  for (const story of [payTheDues, declinedCard, lostAnswer, staleAllocation]) await story(stage);
  return ledgerIsRight(facts);
}

async function ledgerIsRight(facts: DemoFacts): Promise<boolean> {
  screen.chapter('Final check: does the ledger add up?');
  const ownerUrl = facts.database.owner_url ?? config.DATABASE_OWNER_URL;
  useGateways(facts);
  const { comparisons, skipped } = await compareWithGateways(ownerUrl, {
    gateway: false,
    since: new Date(Date.now() - DAY_MS),
    compareOtherLedger: ledgerOf(facts),
  });
  const check = await checkLedger(ownerUrl);
  for (const line of skipped) screen.note(line);
  for (const { invariant, row } of check.violations) screen.failed(`${invariant}: ${JSON.stringify(row)}`);
  for (const { name, violations } of comparisons)
    for (const row of violations) screen.failed(`${name}: ${JSON.stringify(row)}`);
  const passed = check.passed && comparisons.every(({ violations }) => violations.length === 0);
  (passed ? screen.done : screen.failed)(verdict(check, comparisons));
  if (passed) screen.note('Rule by rule: npm run check-ledger');
  return passed;
}

void main()
  .catch((error: Error) => {
    screen.failed(error.message);
    return false;
  })
  .then((passed) => process.exit(passed ? 0 : 1));
