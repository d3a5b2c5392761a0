/** Finds Chromium: the installed one, else Debian's package unpacked into the per-user cache. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type DebianPackage, findInstalled, run, type Unpacked, unpackedPackage } from './debianPackage.js';

export interface Chromium {
  command: string;
  /** Environment of an unpacked Chromium: its libraries and fonts. */
  environment: Record<string, string>;
}

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome', 'Chromium'];
const FOLDERS = [
  '/usr/bin',
  '/snap/bin',
  '/Applications/Google Chrome.app/Contents/MacOS',
  '/Applications/Chromium.app/Contents/MacOS',
];

const PACKAGE: DebianPackage = {
  name: 'chromium',
  program: path.join('usr', 'lib', 'chromium', 'chromium'),
  async wanted(options) {
    // The libraries depend on further libraries. A simulated installation by apt lists all of them.
    const dryRun = ['-s', '-o', 'Debug::NoLocking=1', '--no-install-recommends', 'install', 'chromium'];
    const { stdout } = await run('apt-get', [...options, ...dryRun]);
    return [...new Set(['chromium', ...[...stdout.matchAll(/^Inst (\S+) /gm)].map(([, name]) => name as string)])];
  },
};

/**
 * Finds Chromium, or unpacks it without changing the system.
 * @throws Error that says how to install it by hand
 */
export async function findChromium(say: (line: string) => void): Promise<Chromium> {
  const installed = findInstalled(NAMES, FOLDERS);
  if (installed) return { command: installed, environment: {} };
  try {
    const unpacked = await unpackedPackage(PACKAGE, say);
    return { command: unpacked.command, environment: environmentOf(unpacked) };
  } catch (error) {
    throw new Error(
      [
        `Chromium was not found, and getting Debian's package failed: ${(error as Error).message.trim()}`,
        'Install it so that it is on the PATH: apt-get install chromium, dnf install chromium, brew install --cask chromium.',
      ].join('\n'),
      { cause: error },
    );
  }
}

function environmentOf({ root, libraries }: Unpacked): Record<string, string> {
  const fonts = path.join(root, 'etc', 'fonts', 'fonts.conf');
  return {
    ...(libraries ? { LD_LIBRARY_PATH: libraries } : {}),
    // Without fonts, texts have no size, and an element without a size cannot be clicked.
    ...(existsSync(fonts) ? { FONTCONFIG_FILE: fonts, XDG_DATA_HOME: path.join(root, 'usr', 'share') } : {}),
  };
}
