/** Writes the OpenAPI document with all error codes to a file, without a server: `describeApi.js <file>`. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../api/http/docs/openapi.js';
import { allRoutes } from '../../api/routes.js';
import { errorTable } from '../../models/errors.js';

const description = { ...openApiDocument(allRoutes), 'x-error-codes': errorTable().map(({ code }) => code) };
writeFileSync(process.argv[2] as string, JSON.stringify(description));
// The imported modules keep timers running.
process.exit(0);
