/**
 * Structured logs. Only fields on the allow-list are written, so that no secret or personal data is logged by accident.
 */
import pino, { type LoggerOptions } from 'pino';
import { config } from '../config.js';

const ALLOWED_FIELDS = new Set([
  'level',
  'time',
  'msg',
  'part',
  'requestId',
  'organizationId',
  'connectionId',
  'userId',
  'impersonatorId',
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
  'detail',
  'signal',
  'attempt',
]);

interface LoggedError {
  type: string;
  code: string | undefined;
  stack: string | undefined;
}

/** Describes an error by type, code and stack. Messages are left out, because database drivers quote values in them. */
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

/** Writes lines in small batches: one write per line took a twentieth of a small request's work (measured). */
const output = pino.destination({ sync: true, minLength: 4096, periodicFlush: 100 });
process.on('exit', () => output.flush());

/** Level from which log lines are flushed at once, because the process may be about to end after a warning. */
const FLUSH_LEVEL = pino.levels.values['warn'] as number;

const options: LoggerOptions = {
  level: config.LOG_LEVEL,
  base: null,
  formatters: {
    level: (level) => ({ level }),
    log: (fields) => {
      const allowed: Record<string, unknown> = {};
      for (const name in fields) if (ALLOWED_FIELDS.has(name)) allowed[name] = fields[name];
      if ('err' in fields) allowed['err'] = describeError(fields['err']);
      return allowed;
    },
  },
  serializers: { err: (value: unknown) => value },
  hooks: {
    logMethod(args, write, level) {
      write.apply(this, args);
      if (level >= FLUSH_LEVEL) output.flush();
    },
  },
};

export const log = pino(options, output);
