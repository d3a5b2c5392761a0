/** Runs the stand-ins of the office suites as a program of their own. Development only. */
import { accountsFolder } from './stack/accounts.js';
import { readSettings } from './stack/settings.js';
import { startAccountsStandin } from './standins/accounts/server.js';
import { runStandin } from './standins/kit/program.js';

runStandin(async () => {
  const settings = readSettings(process.env);
  return startAccountsStandin({
    workspacePort: settings.ports.workspaceSuite,
    officePort: settings.ports.cloudOffice,
    folder: accountsFolder(settings),
    log: (line) => console.log(line),
  });
});
