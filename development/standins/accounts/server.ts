/** The stand-ins of both office suites: their protocols, their accounts, and injected faults. */
import path from 'node:path';
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { listen, type Listening } from '../kit/listen.js';
import { serveCloudOffice } from './cloudOffice.js';
import { type AccountsCredentials, accountsCredentials, OFFICE, SUITE } from './credentials.js';
import { Directory } from './directory.js';
import { Faults } from './faults.js';
import { serveWorkspaceSuite } from './workspaceSuite.js';

export interface AccountsStandinOptions {
  /**
   * Port of the workspace suite's stand-in; `officePort` is the port of the cloud office's stand-in. 0 chooses a free
   * port.
   */
  workspacePort: number;
  officePort: number;
  /** Folder for credentials and accounts, which survive a restart. */
  folder: string;
  log?: (line: string) => void;
}

/** The running stand-in of one office suite: workspace suite or cloud office. */
interface SuiteStandin {
  url: string;
  directory: Directory;
  faults: Faults;
}

export interface AccountsStandin {
  credentials: AccountsCredentials;
  workspace: SuiteStandin;
  office: SuiteStandin;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the stand-ins of both office suites. Resolves when both listen. */
export async function startAccountsStandin(options: AccountsStandinOptions): Promise<AccountsStandin> {
  const { folder, workspacePort, officePort, log = () => {} } = options;
  const credentials = accountsCredentials(folder);
  const peopleFile = (name: string) => path.join(folder, `${name}-people.json`);
  const suite = {
    account: credentials.workspace,
    directory: new Directory(SUITE.domain, SUITE.groups, peopleFile('workspace')),
    units: SUITE.units,
    faults: new Faults(),
  };
  const office = {
    application: credentials.office,
    directory: new Directory(OFFICE.domain, OFFICE.groups, peopleFile('office')),
    faults: new Faults(),
  };
  const { privateKey: key, certificate: cert } = credentials.tls;
  const servers: Listening[] = [];
  const close = async () => {
    for (const { faults } of [suite, office]) faults.lift();
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    servers.push(
      await listen(workspacePort, HOST, (asked) => control(suite, asked) ?? serveWorkspaceSuite(suite, asked), log),
      await listen(officePort, HOST, (asked) => control(office, asked) ?? serveCloudOffice(office, asked), log, {
        key,
        cert,
      }),
    );
  } catch (error) {
    await close();
    throw error;
  }
  const [first, second] = servers;
  const played = ({ directory, faults }: typeof office | typeof suite, url: string) => ({ url, directory, faults });
  const standin = {
    credentials,
    workspace: played(suite, `http://${HOST}:${first?.port}`),
    office: played(office, `https://${HOST}:${second?.port}`),
    close,
  };
  log(`office suites: ${standin.workspace.url} and ${standin.office.url}, accounts at /people`);
  return standin;
}

/**
 * Serves the control requests that a real suite does not have: the list of people, and faults.
 * @returns undefined for any other request
 */
function control({ directory, faults }: Omit<SuiteStandin, 'url'>, exchange: Exchange): Promise<Answer> | undefined {
  const answers: Record<string, () => Promise<Answer>> = {
    // Hide the passwords.
    'GET /people': async () => {
      const people = directory.all().map((person) => ({ ...person, password: '…' }));
      return jsonAnswer(200, people);
    },
    'GET /faults': async () => jsonAnswer(200, { holding: faults.holding }),
    'POST /faults': async () => jsonAnswer(201, faults.order(JSON.parse(await exchange.text()) as never)),
    'DELETE /faults': async () => {
      faults.lift();
      return jsonAnswer(200, {});
    },
  };
  return answers[`${exchange.method} ${exchange.url.pathname}`]?.().catch((error: unknown) => {
    if (error instanceof z.ZodError) return jsonAnswer(400, { error: z.prettifyError(error) });
    throw error;
  });
}
