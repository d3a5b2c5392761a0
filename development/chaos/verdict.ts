/** The report as people read it. */
import type { Kill } from './killer.js';
import type { Report } from './report.js';

/** More rows of one rule are counted, not printed. */
const MOST_PRINTED = 10;

type Print = (line: string) => void;

export const printKill = ({ number, part, pid, moment, inFlight, at }: Kill, total: number, print: Print): void =>
  print(
    `${at.toFixed(1).padStart(7)} s  kill ${number}/${total}  ${part.padEnd(10)} (process ${pid}), ${moment}; in flight: ${inFlight}`,
  );

/** The table, the rules, and the verdict last. */
export function printReport(report: Report, print: Print): void {
  const { kills, requests, faults, money, quiet, findings } = report;
  section('Kills', { total: kills.total, ...kills.byPart, ...kills.byMoment }, print);
  print('\nRequests by answer');
  for (const [request, answers] of Object.entries(requests)) {
    const list = Object.entries(answers).map(([answer, count]) => `${answer}: ${count}`);
    print(`  ${request.padEnd(12)} ${list.join(', ')}`);
  }
  section('Faults ordered at the gateway', faults, print);
  section('What it came to', money, print);
  print(
    `\nQuiet after ${quiet.seconds} s${quiet.unrest.length > 0 ? `: NEVER, there were still ${quiet.unrest.join(', ')}` : ''}\n`,
  );
  for (const { name, examined, violations } of findings) {
    print(`${violations.length > 0 ? 'BROKEN' : 'ok    '} ${String(examined).padStart(8)}  ${name}`);
    for (const row of violations.slice(0, MOST_PRINTED)) print(`         ${JSON.stringify(row)}`);
    if (violations.length > MOST_PRINTED) print(`         … and ${violations.length - MOST_PRINTED} more`);
  }
  print(`\nAfter the slowest kill the next payment was made within ${kills.servedAfterSeconds.toFixed(1)} s.`);
  print(verdict(report));
}

function section(title: string, counts: Record<string, number>, print: Print): void {
  print(`\n${title}`);
  for (const [name, count] of Object.entries(counts)) print(`  ${name.padEnd(40)} ${String(count).padStart(7)}`);
}

function verdict({ passed, kills, seed, cluster, findings, quiet }: Report): string {
  const run = `${kills.total} kills (${cluster ? '--cluster ' : ''}--kills ${kills.total} --seed ${seed})`;
  if (passed) return `Nothing was lost: ${run}, ${findings.length} rules, 0 violations.`;
  const broken = findings.filter(({ violations }) => violations.length > 0).length;
  const restless = quiet.unrest.length > 0 ? ', and it did not come to rest' : '';
  return `FAILED after ${run}: ${broken} of ${findings.length} rules are broken${restless}.`;
}
