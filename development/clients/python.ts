import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type CheckClient, need, run, SOURCES } from './tools.js';

const GENERATOR = 'org.openapitools:openapi-generator-cli:7.17.0';

/** Prepares the check of the Python client. @throws Error that names the missing tool */
export async function pythonClient(folder: string): Promise<CheckClient> {
  need('java', ['-version'], 'for openapi-generator');
  need('python3', ['-c', 'import venv, ensurepip'], 'for the Python client, with venv and pip');
  mkdirSync(folder, { recursive: true });
  const jar = generatorIn(folder);
  return async (description, facts) => {
    const client = path.join(folder, 'client');
    rmSync(client, { recursive: true, force: true });
    const named = ['--additional-properties', 'packageName=membership_client'];
    run('java', ['-jar', jar, 'generate', '-g', 'python', '-i', description, '-o', client, ...named]);
    const python = path.join(folder, 'venv', 'bin', 'python');
    if (!existsSync(python)) run('python3', ['-m', 'venv', path.join(folder, 'venv')]);
    run(python, ['-m', 'pip', 'install', '--quiet', '--requirement', path.join(client, 'requirements.txt')]);
    run(python, ['-m', 'compileall', '-q', path.join(client, 'membership_client')]);
    const env = { ...facts, DESCRIPTION: description, PYTHONPATH: client };
    for (const program of ['pay.py', 'reads.py'])
      console.log(run(python, [path.join(SOURCES, 'python', program)], { env }).trim());
  };
}

/** Returns the path of the generator: OPENAPI_GENERATOR_JAR, or a jar that Maven downloads. */
function generatorIn(folder: string): string {
  const configured = process.env['OPENAPI_GENERATOR_JAR'];
  if (configured && existsSync(configured)) return configured;
  if (configured) throw new Error('OPENAPI_GENERATOR_JAR names no file.');
  const [, artifact, version] = GENERATOR.split(':');
  const jar = path.join(folder, `${artifact}-${version}.jar`);
  if (existsSync(jar)) return jar;
  need('mvn', ['--version'], 'to fetch openapi-generator; or name its jar by OPENAPI_GENERATOR_JAR');
  run('mvn', ['-q', 'dependency:copy', `-Dartifact=${GENERATOR}`, `-DoutputDirectory=${folder}`]);
  return jar;
}
