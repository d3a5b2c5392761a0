/** Structured logs. Only fields on the allow-list are written, so that no secret or personal datum slips in. */
import pino from 'pino';
import { config } from '../config.js';

const ALLOWED = new Set([
  'level',
  'time',
  'msg',
  'part',
  'requestId',
  'organizationId',
  'userId',
  'method',
  'route',
  'status',
  'durationMs',
  'process',
  'workflowId',
  'count',
  'port',
  'queue',
  'code',
  'signal',
  'attempt',
]);

interface LoggedError {
  type: string;
  code: string | undefined;
  stack: string | undefined;
}

/** An error's kind, code and place. Messages of drivers quote values, so they stay out. */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, code: undefined, stack: undefined };
  const cause = (error as { original?: { code?: string } }).original ?? (error as { code?: string });
  const stack = error.stack
    ?.split('\n')
    .filter((line) => line.trimStart().startsWith('at '))
    .slice(0, 8)
    .join('\n');
  return { type: error.name, code: cause.code, stack };
}

export const log = pino({
  level: config.LOG_LEVEL,
  base: null,
  formatters: {
    level: (level) => ({ level }),
    log: (fields) => {
      const kept = Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)));
      return 'err' in fields ? { ...kept, err: describeError(fields['err']) } : kept;
    },
  },
  serializers: { err: (value: unknown) => value },
});
