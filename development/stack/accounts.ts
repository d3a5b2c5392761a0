/** The stand-ins of office suites, where members get accounts, unless others are named or none may be played. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { credentialFiles } from '../standins/accounts/credentials.js';
import type { StackSettings } from './settings.js';

export const accountsFolder = ({ dataDir }: Pick<StackSettings, 'dataDir'>): string => path.join(dataDir, 'accounts');

/** Others are named, or this is production, which knows no stand-in. */
export const playsAccounts = ({ environment, external }: Pick<StackSettings, 'environment' | 'external'>): boolean =>
  !external.accounts && environment['NODE_ENV'] !== 'production';

export const accountsUrls = ({ ports }: Pick<StackSettings, 'ports'>) => ({
  workspace: `http://127.0.0.1:${ports.workspaceSuite}`,
  office: `https://127.0.0.1:${ports.cloudOffice}`,
});

/** Tells programs of them, once their credentials are made. */
export function accountsEnvironment(settings: StackSettings): NodeJS.ProcessEnv {
  const { all, authority } = credentialFiles(accountsFolder(settings));
  if (!playsAccounts(settings) || !existsSync(all)) return {};
  const { workspace, office } = accountsUrls(settings);
  return { WORKSPACE_SUITE_URL: workspace, CLOUD_OFFICE_URL: office, CLOUD_OFFICE_CA_FILE: authority };
}
