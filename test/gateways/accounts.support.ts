/** The stand-ins of the office suites for a test file, which the platform uses from now on. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { config } from '../../config.js';
import { OFFICE, SUITE } from '../../development/standins/accounts/credentials.js';
import { type AccountsStandin, startAccountsStandin } from '../../development/standins/accounts/server.js';

export interface Suites extends AccountsStandin {
  /** The settings with which an organization creates accounts at each suite. */
  workspaceConfig(more?: object): Record<string, unknown>;
  officeConfig(more?: object): Record<string, unknown>;
}

export function officeSuites(): Suites {
  const suites = {} as Suites;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'accounts-test-'));
  beforeAll(async () => {
    Object.assign(suites, await startAccountsStandin({ workspacePort: 0, officePort: 0, folder }));
    const { workspace, office, tls } = suites.credentials;
    Object.assign(config, {
      WORKSPACE_SUITE_URL: suites.workspace.url,
      CLOUD_OFFICE_URL: suites.office.url,
      CLOUD_OFFICE_CA: tls.authority,
    });
    const template = { address_template: '{first}.{last}' };
    suites.workspaceConfig = (more = {}) => ({
      provider: 'workspace_suite',
      domain: SUITE.domain,
      ...template,
      unit: SUITE.units[0],
      groups: SUITE.groups,
      credentials: workspace,
      ...more,
    });
    suites.officeConfig = (more = {}) => ({
      provider: 'cloud_office',
      domain: OFFICE.domain,
      ...template,
      groups: OFFICE.groups,
      credentials: office,
      ...more,
    });
  });
  afterEach(() => {
    for (const { faults } of [suites.workspace, suites.office]) faults.lift();
  });
  afterAll(async () => {
    await suites.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return suites;
}
