/** Prints the report for people. */
import type { Kill } from './killer.js';
import { FOUND_BY, type Plant } from './options.js';
import type { Report } from './report.js';

/** Maximum rows printed per rule; further rows are only counted. */
const MAX_PRINTED_ROWS = 10;

type Print = (line: string) => void;

export const printKill = ({ number, part, pid, moment, inFlight, at }: Kill, total: number, print: Print): void =>
  print(
    `${at.toFixed(1).padStart(7)} s  kill ${number}/${total}  ${part.padEnd(10)} (process ${pid}), ${moment}; in flight: ${inFlight}`,
  );

/** Prints the tables, the rules, and last the verdict. */
export function printReport(report: Report, print: Print): void {
  const { kills, requests, faults, money, quiet, findings } = report;
  section('Kills', { total: kills.total, ...kills.byPart, ...kills.byMoment }, print);
  print('\nRequests by answer');
  for (const [request, answers] of Object.entries(requests)) {
    const list = Object.entries(answers).map(([answer, count]) => `${answer}: ${count}`);
    print(`  ${request.padEnd(12)} ${list.join(', ')}`);
  }
  section('Faults injected at the gateway', faults, print);
  section('Results', money, print);
  print(
    `\nQuiet after ${quiet.seconds} s${quiet.unrest.length > 0 ? `: NEVER, remaining work: ${quiet.unrest.join(', ')}` : ''}\n`,
  );
  for (const { name, examined, violations } of findings) {
    print(`${violations.length > 0 ? 'BROKEN' : 'ok    '} ${String(examined).padStart(8)}  ${name}`);
    for (const row of violations.slice(0, MAX_PRINTED_ROWS)) print(`         ${JSON.stringify(row)}`);
    if (violations.length > MAX_PRINTED_ROWS) print(`         … and ${violations.length - MAX_PRINTED_ROWS} more`);
  }
  print(`\nThe longest time from a kill to the next successful payment was ${kills.servedAfterSeconds.toFixed(1)} s.`);
  for (const plant of report.plants)
    print(`Planted fault ${plant}: ${isFound(plant, report) ? 'found' : 'NOT FOUND'}.`);
  print(verdict(report));
}

/** Reports whether the rule about a planted fault is broken. Other rules do not count: they may break on a busy machine. */
const isFound = (plant: Plant, { findings }: Report): boolean =>
  findings.some(({ name, violations }) => violations.length > 0 && name.startsWith(FOUND_BY[plant]));

function section(title: string, counts: Record<string, number>, print: Print): void {
  print(`\n${title}`);
  for (const [name, count] of Object.entries(counts)) print(`  ${name.padEnd(40)} ${String(count).padStart(7)}`);
}

function verdict({ passed, kills, seed, cluster, findings, quiet }: Report): string {
  const run = `${kills.total} kills (${cluster ? '--cluster ' : ''}--kills ${kills.total} --seed ${seed})`;
  if (passed) return `Nothing was lost: ${run}, ${findings.length} rules, 0 violations.`;
  const broken = findings.filter(({ violations }) => violations.length > 0).length;
  const restless = quiet.unrest.length > 0 ? ', and the platform did not become idle' : '';
  return `FAILED after ${run}: ${broken} of ${findings.length} rules are broken${restless}.`;
}
