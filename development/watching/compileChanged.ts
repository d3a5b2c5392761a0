/** Updates `dist/` for each changed source file, because a whole build takes seconds. */
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `npm run dev` starts in the repository root. */
export const ROOT = process.cwd();
export const DIST = path.join(ROOT, 'dist');

/** Returns the path of a source after the build: `api/server.ts` becomes `api/server.js`. */
export const builtName = (source: string): string => source.replace(/\.ts$/, '.js');

/**
 * Compiles, copies or removes one file. @param source relative to the root @throws Error with the position of a syntax
 * error
 */
export async function compileChanged(source: string, root = ROOT): Promise<void> {
  const from = path.join(root, source);
  const target = path.join(root, 'dist', builtName(source));
  if (!existsSync(from)) return [target, `${target}.map`].forEach((file) => rmSync(file, { force: true }));
  mkdirSync(path.dirname(target), { recursive: true });
  if (!source.endsWith('.ts')) return copyFileSync(from, target);
  // Import the compiler only here, because no other part of the stack needs one.
  const { transformFile } = await import('@swc/core');
  const { code, map } = await transformFile(from, {
    swcrc: false,
    sourceMaps: true,
    sourceFileName: path.relative(path.dirname(target), from),
    module: { type: 'commonjs', ignoreDynamic: true },
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  });
  writeFileSync(`${target}.map`, map ?? '');
  writeFileSync(target, `${code}\n//# sourceMappingURL=${path.basename(target)}.map\n`);
}
