import type { Migration } from '../../schemaFiles.js';

/** Creates bulletins of an organization to its members. */
export const up: Migration['up'] = ({ runFiles }) => runFiles(__dirname, ['bulletins']);

export const down: Migration['down'] = ({ run }) => run('DROP TABLE bulletin_dismissals; DROP TABLE bulletins;');
