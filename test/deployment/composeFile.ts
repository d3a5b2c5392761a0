/** docker-compose.yml as data, and the folder of secrets for its services. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

export const ROOT = path.resolve(__dirname, '../..');

export interface Service {
  image?: string;
  build?: { context: string; target: string };
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  deploy?: { replicas?: number };
  profiles?: string[];
}

export interface ComposeFile {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, unknown>;
}

export const compose = parse(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'), {
  merge: true,
}) as ComposeFile;

/** The services that run our own image. */
export const ours = Object.entries(compose.services).filter(([, { build }]) => build?.target === 'runtime');

/** Creates the secrets with the script that operators run. */
export function makeSecrets(folder: string): void {
  execFileSync('sh', [path.join(ROOT, 'docker', 'make-secrets.sh'), folder]);
}

/** Resolves `${NAME:-default}` as compose does when the operator sets nothing. */
const filledIn = (text: string): string => text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

/** The environment of a service's process, with its secrets in this folder. */
export function environmentOf(service: Service, secrets: string): Record<string, string> {
  const image = {
    NODE_ENV: 'production',
    PORT: '8000',
    WORKFLOW_BUNDLE: path.join(ROOT, 'dist', 'workflow-bundle.js'),
  };
  const given = Object.entries(service.environment ?? {}).map(([name, value]) => [
    name,
    filledIn(value).replace('/run/secrets', secrets),
  ]);
  return { ...image, ...Object.fromEntries(given) };
}
