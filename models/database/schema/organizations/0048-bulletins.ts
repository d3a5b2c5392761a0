import type { Migration } from '../../schemaFiles.js';

/** What an organization announces to its own people. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['bulletins']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE bulletin_dismissals; DROP TABLE bulletins;');
