/**
 * The stand-ins of the office suites, which give members accounts. They run unless real suites are configured or this
 * is production.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { credentialFiles } from '../standins/accounts/credentials.js';
import type { StackSettings } from './settings.js';

export const accountsFolder = ({ dataDir }: Pick<StackSettings, 'dataDir'>): string => path.join(dataDir, 'accounts');

/** Reports whether the stand-ins run: no real suite is configured, and this is not production. */
export const playsAccounts = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.accounts && environment['NODE_ENV'] !== 'production';

export const accountsUrls = ({ ports }: Pick<StackSettings, 'ports'>) => ({
  workspace: `http://127.0.0.1:${ports.workspaceSuite}`,
  office: `https://127.0.0.1:${ports.cloudOffice}`,
});

/**
 * Returns the environment variables that point programs to the stand-ins. Empty until the stand-ins' credentials exist.
 */
export function accountsEnvironment(settings: StackSettings): NodeJS.ProcessEnv {
  const { all, authority } = credentialFiles(accountsFolder(settings));
  if (!playsAccounts(settings) || !existsSync(all)) return {};
  const { workspace, office } = accountsUrls(settings);
  return { WORKSPACE_SUITE_URL: workspace, CLOUD_OFFICE_URL: office, CLOUD_OFFICE_CA_FILE: authority };
}
