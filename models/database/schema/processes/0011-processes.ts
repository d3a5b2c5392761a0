import type { Migration } from '../../schemaFiles.js';

/** Creates the list of stuck processes. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['incidents']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE process_incidents CASCADE;');
