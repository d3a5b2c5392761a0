/** Runs the stand-in of the malware scanner as a program of its own. Development only. */
import { readSettings } from './stack/settings.js';
import { runStandin } from './standins/kit/program.js';
import { startScanStandin } from './standins/scan/server.js';

runStandin(async () => {
  const { ports } = readSettings(process.env);
  return startScanStandin({ port: ports.scan, log: (line) => console.log(line) });
});
